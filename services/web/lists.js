// Which games and arenas are there? Lists of rows, page by page, which are asked for again and again and stand still.

import { ask, asSeat, Failure, Problem } from "./api.js";
import { h } from "./dom.js";
import { forget, kept, ownGames } from "./own.js";
import { rulesName } from "./rules.js";
import { ago, listOf, number, percent, personName, t } from "./text.js";

const ROWS = 5; // of a page
const STATES = ["open", "playing", "ended"];
const BEST = 3; // bots of an arena that are named

/** Ask for all lists again: each has `read(options)`. One that cannot be read now stays as it is. */
export async function readAll(lists, signal) {
  for (const { reason } of await Promise.allSettled(lists.map((list) => list.read({ signal, patience: 0 })))) {
    if (reason && !(reason instanceof Failure) && !signal.aborted) throw reason;
  }
}

/** The games in which this browser holds a seat: the newest first, and those that have ended behind those that go on. */
export function ownList(redraw) {
  const views = new Map();
  let shown = ROWS;

  async function read(options) {
    const missing = ownGames().slice(0, shown).filter((game) => views.get(game)?.status !== "ended");
    await Promise.all(missing.map((game) => readOne(game, options)));
  }

  async function readOne(game, options) {
    try {
      views.set(game, await ask(`/v1/games/${game}`, { headers: asSeat(game), ...options }));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.code === "unknown_game" || error.code === "bad_token") forget(game);
    }
  }

  function draw() {
    const games = ownGames().filter((game) => views.has(game)).slice(0, shown);
    games.sort((one, other) => (views.get(one).status === "ended") - (views.get(other).status === "ended"));
    if (games.length === 0) return null;
    const more = ownGames().length > shown;
    const further = () => {
      shown += ROWS;
      redraw();
    };
    return h(
      "section",
      { class: "panel", "aria-labelledby": "own" },
      h("h2", { id: "own" }, t("lobby.own.title")),
      h("ul", { class: "rows" }, games.map((game) => ownRow(views.get(game)))),
      more && h("button", { class: "plain", onclick: further }, t("lobby.own.further")),
    );
  }

  const ownRow = (view) => row(view.game, `/games/${view.game}`, view.seats, ownState(view));

  function ownState(view) {
    if (view.status === "ended") return [resultText(view.result, view.seats), t("lobby.own.look")];
    if (view.status === "open") return [t("lobby.own.waits"), t("lobby.own.goOn")];
    if (view.turn.seat === kept(view.game).seat) return [h("strong", {}, t("lobby.own.yourTurn")), t("lobby.own.goOn")];
    return [t("lobby.own.turnOf", { name: personName(view.seats[view.turn.seat].name) }), t("lobby.own.goOn")];
  }

  return { read, draw };
}

/** All public games: those that wait for a player, that run, or that have ended; or those of an arena, where nobody waits. */
export function gameList(redraw, arena = "") {
  const states = arena ? STATES.slice(1) : STATES;
  let status = arena ? "ended" : "playing", before = [], page = null, asked = 0;

  async function read(options) {
    const mine = ++asked, cursor = before.at(-1);
    const query = new URLSearchParams({ status, limit: ROWS, ...(cursor && { cursor }), ...(arena && { arena }) });
    const found = await ask(`/v1/games?${query}`, options);
    if (mine === asked) page = found;
  }

  function turn(change) {
    change();
    redraw();
  }

  const tab = (name) => {
    const choose = () => {
      if (name === status) return;
      turn(() => ([status, before, page] = [name, [], null]));
    };
    return h("button", { key: name, "aria-pressed": String(name === status), onclick: choose }, t(`lobby.games.${name}`));
  };

  function draw() {
    const older = () => page?.next && turn(() => before.push(page.next));
    const newer = () => before.length && turn(() => before.pop());
    const rows = page?.games.map((one) => line(one, arena));
    return h(
      "section",
      { class: "panel", "aria-labelledby": "games" },
      h("h2", { id: "games" }, t("lobby.games.title")),
      h("div", { class: "tabs", role: "group", "aria-labelledby": "games" }, states.map(tab)),
      h(
        "div",
        { class: before.length > 0 || page?.next ? "page full" : "page" },
        rows?.length > 0 && h("ul", { class: "rows" }, rows),
        rows?.length === 0 && h("p", { class: "soft" }, t(`lobby.games.none.${status}`)),
      ),
      (before.length > 0 || page?.next) &&
        h(
          "div",
          { class: "row" },
          h("button", { "aria-disabled": before.length ? null : "true", onclick: newer }, t("lobby.newer")),
          h("button", { "aria-disabled": page?.next ? null : "true", onclick: older }, t("lobby.older")),
        ),
    );
  }

  const full = () => page?.next != null;
  return { read, draw, full };
}

function line({ game, status, seats, rules, result, created_at: begun }, arena) {
  const ended = status === "ended";
  const does = kept(game).token ? t(`lobby.own.${ended ? "look" : "goOn"}`) : t(`lobby.games.do.${status}`);
  const told = ended ? resultText(result, seats) : ago(begun);
  const state = arena ? told : `${rulesName(rules)} · ${told}`; // an arena has said its rules
  return row(game, ended ? `/games/${game}/replay` : `/games/${game}`, seats, [state, does]);
}

/** The newest arenas with their best bots. */
export function arenaList() {
  let arenas = [];
  const standings = new Map();

  async function read(options) {
    arenas = (await ask(`/v1/arenas?limit=${BEST}`, options)).arenas;
    await Promise.all(
      arenas
        .filter(({ arena, done }) => standings.get(arena)?.done !== done)
        .map(async ({ arena }) => standings.set(arena, await ask(`/v1/arenas/${arena}`, options))),
    );
  }

  function draw() {
    return h(
      "section",
      { class: "panel", "aria-labelledby": "arenas" },
      h("h2", { id: "arenas" }, t("lobby.arenas.title")),
      h("p", { class: "soft" }, t("lobby.arenas.what")),
      h("ul", { class: "rows" }, arenas.map(league)),
      h("a", { class: "button", href: "/arenas" }, t("lobby.arenas.all")),
    );
  }

  function league({ arena, games, done, bots }) {
    const best = standings.get(arena)?.bots.slice(0, BEST).map((bot) => `${bot.bot} ${percent(bot.score ?? 0)}`) ?? bots;
    return h(
      "li",
      { key: arena },
      h(
        "a",
        { href: `/arenas/${arena}` },
        h("span", { class: "names" }, best.join(" · ")),
        h("span", { class: "state" }, t("lobby.arenas.done", { n: games, done: number(done), games: number(games) })),
      ),
    );
  }

  return { read, draw };
}

function row(game, address, seats, [state, does]) {
  const who = seats.map(({ name }, n) => [n > 0 && " – ", h("bdi", {}, personName(name) ?? t("lobby.free"))]);
  return h(
    "li",
    { key: game },
    h(
      "a",
      { href: address },
      h("span", { class: "names" }, who),
      h("span", { class: "state" }, state),
      h("span", { class: "does" }, does),
    ),
  );
}

// How a game has ended, in a few words.
function resultText({ result, winners }, seats) {
  if (result !== "won") return t(`lobby.result.${result}`);
  return t("lobby.result.won", { n: winners.length, names: listOf(winners.map((seat) => personName(seats[seat].name))) });
}
