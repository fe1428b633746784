// How is a game drawn, with all that stands around its table? A description of what play.js knows; what is done is its affair too.

import { clock } from "./clock.js";
import { h } from "./dom.js";
import { fairPanel } from "./fair.js";
import { howTo } from "./how-to-play.js";
import { inviteLink, joinPanel } from "./invite.js";
import { matchPanel } from "./match.js";
import { cardAt, placesOf } from "./moves.js";
import { names } from "./news.js";
import { kept } from "./own.js";
import { reading, resultPanel, surely } from "./panels.js";
import { inWords, turnWords } from "./position.js";
import { origin, ownRules, rulesName } from "./rules.js";
import { table } from "./table.js";
import { sentence, t, theCard } from "./text.js";

const READ_OUT = 6; // so many of the last moves are there for whoever hears the page

/** May this seat act in the game at all? */
export const plays = (view) => view.status === "playing" && view.seat !== null && !view.seats[view.seat].resigned;

/**
 * The screen. `now`: `view`; `moving`, `sending`, while nothing can be chosen; `word`, why something is no move; `notice`; `away`,
 * whether a bot is waited for too long; `fresh`, while the deal is still to be shown; `dialog`, what is open over the table;
 * `moves`, the last ones in words; `listed`, whether they are open to the eye. `choices` as choosing.js has them; `acts` are
 * what can be done.
 */
export function screen(game, now, choices, acts) {
  const { view, moving, sending } = now;
  const who = names(view), busy = moving || sending;
  return h(
    "div",
    { class: "play", "data-status": view.status, "data-busy": busy ? "" : null },
    h("h1", { class: "heard" }, t("table.title", { names: who.join(" – ") })),
    now.notice && h("p", { key: "notice", class: "notice", role: "status" }, now.notice),
    view.result !== null && !moving
      ? resultPanel(game, view, { rematch: now.match?.status === "running" ? null : acts.rematch, busy: sending })
      : h("p", { key: "turn", class: "turn-line" }, h("strong", {}, whose(now, who)), " ", hint(now, choices.chosen)),
    now.match && view.result !== null && !moving && matchPanel(game, now.match, who),
    h("div", { key: "word", class: "said", role: "alert" }, now.word && h("p", {}, now.word)),
    view.status === "open" && !now.fresh && !moving && h("div", { key: "open" }, openSeat(game, view, acts)),
    h(
      "div",
      { key: "table", ondblclick: acts.straight },
      table(view, {
        me: view.seat ?? 0,
        name: (seat) => (seat === view.seat ? t("table.you", { name: who[seat] }) : who[seat]),
        choose: plays(view) ? choices.choose : undefined,
        mark: choices.mark,
        say: choices.say,
        beside: (seat) => view.clock?.deadline && view.turn?.seat === seat && !view.result && clock(),
        busy,
      }),
    ),
    actions(view, busy, acts),
    h("div", { key: "live", class: "heard", "aria-live": "polite" }, told(now.moves.slice(-READ_OUT), "p")),
    beside(game, now, acts),
    dialog(now, acts),
  );
}

const openSeat = (game, view, acts) => (kept(game).token ? inviteLink(game) : joinPanel(game, view, acts.start));
const told = (moves, tag) => moves.map(({ version, text }) => h(tag, { key: version, value: tag === "li" ? version : null }, text));

function whose({ view, away, moving, fresh }, who) {
  if (fresh) return "";
  if (away) return t("table.away", { who: who[view.turn.seat] });
  return moving && view.turn === null ? t("news.dealt") : turnWords(view, who);
}

function hint({ view, moving }, chosen) {
  if (!plays(view) || moving || view.turn.seat !== view.seat) return "";
  if (chosen !== null) return sentence(t("table.hint.where", { theCard: theCard(cardAt(view, chosen)) }));
  if (view.legal.some((move) => move.includes(">c"))) return t("table.hint.play");
  return t(view.legal.includes("pass") ? "table.hint.pass" : "table.hint.discard");
}

function actions(view, busy, acts) {
  const button = (name, onclick, look = "plain") =>
    h("button", { key: name, type: "button", class: look, onclick }, t(`table.${name}`));
  return h(
    "div",
    { key: "actions", class: "row actions" },
    view.legal.includes("pass") && button("pass", () => busy || acts.send("pass", null), "main"),
    button("inWords", () => acts.open("words")),
    button("rules", () => acts.open("rules")),
    plays(view) && button("resign", () => acts.open("resign")),
  );
}

function beside(game, { view, moves, listed, match }, acts) {
  return h(
    "div",
    { key: "beside", class: "beside" },
    h(
      "details",
      { key: "moves", class: "panel", open: listed, ontoggle: (event) => acts.list(event.target.open) },
      h("summary", {}, h("h2", {}, t("table.moves"))),
      h("ol", { class: "moves", reversed: true, tabindex: "0", "aria-label": t("table.moves") }, told(moves.toReversed(), "li")),
    ),
    match && view.result === null && matchPanel(game, match, names(view)),
    fairPanel(game, view),
  );
}

function rulesOf(rules) {
  const { name } = origin(rules);
  return name === null ? ownRules(rules) : howTo(name);
}

function dialog({ view, dialog }, acts) {
  const close = () => acts.open(null);
  const make = (move) => (event) => {
    event.target.closest("dialog").close();
    acts.send(move, placesOf(view, move)?.from ?? null);
  };
  switch (dialog) {
    case "resign":
      return surely("resign", acts.resign, close);
    case "rules":
      return reading({ title: sentence(rulesName(view.rules)), inside: rulesOf(view.rules), close });
    case "words":
      return reading({ title: t("table.inWordsTitle"), inside: inWords(view, make), close });
    default:
      return null;
  }
}
