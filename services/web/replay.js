// How did a game go? Any version of an ended one, with anybody's eyes, forth and back; its address says what is seen.

import { ask, Failure, Problem, wait } from "./api.js";
import { h, render } from "./dom.js";
import { fairPanel } from "./fair.js";
import { history } from "./feed.js";
import { playOn } from "./fork.js";
import { note } from "./main.js";
import { perform } from "./motion.js";
import { moveList, said, turnsOf } from "./move-list.js";
import { names } from "./news.js";
import { kept, pace } from "./own.js";
import { choices, player } from "./player.js";
import { refusal } from "./refusal.js";
import { table } from "./table.js";
import { t } from "./text.js";

const REST = 0.35, STILL = 0.9; // seconds between two steps at speed 1: after a movement, and without one
const KEPT = 400; // views: a long game has thousands of versions
const NOTING = 250; // milliseconds: what the address says follows when one stays

const KEYS = {
  ArrowLeft: "previous",
  ArrowRight: "next",
  PageUp: "previousTurn",
  PageDown: "nextTurn",
  Home: "first",
  End: "last",
  " ": "play",
};

/** The screen of `/games/ID/replay?at=17&as=0`. Without `as` a spectator looks, or who holds a seat, with that seat's eyes. */
export function open(place, { game, query }) {
  const leaving = new AbortController(), { signal } = leaving;
  const waiting = { signal, patience: Infinity };
  const views = new Map(); // what was asked for last → the promise of a view
  let eyes = query.get("as") ?? (query.has("at") ? "" : String(kept(game).seat ?? ""));
  let at = Math.trunc(Number(query.get("at"))), shown = null, last = 0, covered = false;
  let ended = null, commits = [], turns = [], who = [], list = null, root = null;
  let playing = null, speed = 1, step = new AbortController(), noting = 0, coming = null, copied = false, sorry = null;

  const asked = (version) => `at=${version}${eyes === "" ? "" : `&as=${eyes}`}`;
  const address = () => `/games/${game}/replay?${asked(at)}`;

  function viewAt(version) {
    const key = asked(version);
    if (!views.has(key)) views.set(key, ask(`/v1/games/${game}?${key}`, waiting));
    if (views.size > KEPT) views.delete(views.keys().next().value);
    return views.get(key);
  }

  async function load() {
    const view = await ask(`/v1/games/${game}`, waiting);
    if (view.status !== "ended") return instead(() => t("replay.running"), () => t("replay.watch"), `/games/${game}`);
    ended = view;
    last = view.version;
    who = names(view);
    try {
      commits = await history(game, { eyes: "as=all", ...waiting });
    } catch (error) {
      if (!(error instanceof Problem && error.code === "forbidden")) throw error;
      covered = true;
      eyes = "";
      commits = await history(game, waiting);
    }
    if (!["", "all", ...who.keys()].map(String).includes(eyes)) eyes = "";
    turns = turnsOf(commits);
    await goTo(at || turns[0].last); // without a version: where the cards have been dealt
  }

  // There is nothing to be seen, and so it is said: texts, in whatever language the page comes to speak.
  function instead(text, link, href) {
    sorry = () => [h("p", {}, text()), h("a", { class: "button main", href }, link())];
    redraw();
  }

  function fail(problem) {
    if (signal.aborted) return;
    if (!(problem instanceof Failure)) throw problem;
    playing = null;
    instead(() => refusal(problem), () => t("replay.lobby"), "/");
  }

  /** Show a version. One step forward is seen to happen, unless somebody is in a hurry. */
  async function goTo(version, { moving = false } = {}) {
    step.abort();
    const mine = (step = new AbortController());
    at = Math.min(Math.max(1, version), last);
    copied = false;
    redraw();
    later();
    await coming; // one request at a time: who drags the slider is shown where it stops
    if (mine.signal.aborted) return;
    const view = await (coming = viewAt(at).catch(fail));
    if (mine.signal.aborted || !view) return;
    const draw = (one) => mine.signal.aborted || render(root, tableOf(one));
    if (moving && shown?.version === at - 1 && pace() > 0) {
      await perform(root, shown, commits[at - 1], draw, pace() / speed, { signal: mine.signal });
    }
    if (mine.signal.aborted) return;
    shown = view;
    redraw();
  }

  function later() {
    clearTimeout(noting);
    noting = setTimeout(() => note(address()), NOTING);
  }

  async function play() {
    if (playing) {
      playing = null;
      return redraw();
    }
    const mine = (playing = {});
    if (at === last) await goTo(1);
    while (playing === mine && at < last) {
      await goTo(at + 1, { moving: true });
      if (at < last) coming = viewAt(at + 1).catch(fail); // while this one is looked at
      await wait((pace() > 0 ? REST : STILL) / speed);
    }
    if (playing !== mine) return;
    playing = null;
    redraw();
  }

  function jump(version, options) {
    playing = null;
    return goTo(version, options);
  }

  const turnAt = () => turns.findLastIndex((turn) => turn.first <= at);

  const act = {
    first: () => jump(1),
    previousTurn: () => jump(turns[turnAt()].first < at ? turns[turnAt()].first : (turns[turnAt() - 1]?.first ?? 1)),
    previous: () => jump(at - 1),
    play,
    next: () => jump(at + 1, { moving: true }),
    nextTurn: () => jump(turns[turnAt() + 1]?.first ?? last),
    last: () => jump(last),
    to: (version) => jump(version),
    speed: (value) => {
      speed = value;
      redraw();
    },
    eyes: (value) => {
      eyes = value;
      shown = null;
      return goTo(at);
    },
  };

  const me = () => (eyes === "" || eyes === "all" ? (kept(game).seat ?? 0) : Number(eyes));
  const tableOf = (view) => table(view, { me: me(), name: (seat) => who[seat], cards: view.cards });

  function redraw() {
    if (signal.aborted) return;
    if (sorry) return render(place, h("section", { class: "panel sorry" }, sorry()));
    if (!commits.length) return render(place, h("p", {}, t("replay.loading")));
    const words = said(commits[at - 1], who);
    render(
      place,
      h("h1", { class: "replay-title" }, t("replay.title", { who: who.join(" – ") })),
      h("div", { class: "replay" }, seen(words), player({ at, last, playing: playing !== null, words }, act), alongside()),
    );
    if (shown) render(root, tableOf(shown));
    list.mark(at);
  }

  function seen(words) {
    return h(
      "div",
      { key: "seen", class: "seen" },
      h("p", { class: "words", role: "status" }, words),
      h("div", { key: "table", keep: true, made: (node) => (root = node) }),
    );
  }

  function alongside() {
    const off = shown?.status !== "playing" && { "aria-disabled": "true", title: t("replay.fork.over") };
    const course = { class: "panel course", "aria-label": t("replay.moves"), tabindex: "0", keep: true, made: listMade };
    return h(
      "div",
      { key: "alongside", class: "alongside" },
      h(
        "div",
        { class: "row doing" },
        h("button", { type: "button", class: "main", ...off, onclick: fork }, t("replay.fork.open")),
        navigator.clipboard && h("button", { type: "button", onclick: copy }, copied ? t("common.copied") : t("replay.link")),
        h("a", { class: "button", href: `/v1/games/${game}/log`, download: `${game}.ndjson` }, t("replay.download")),
      ),
      choices({ eyes, who, covered, speed }, act),
      covered && h("p", { key: "covered" }, t("replay.closed")),
      h("section", { key: "moves", ...course }),
      fairPanel(game, ended),
    );
  }

  function listMade(node) {
    list = moveList(node, { turns, commits, who, to: act.to });
  }

  function fork() {
    if (shown?.status !== "playing") return;
    playing = null;
    playOn(game, { at, who, me: me() });
  }

  async function copy() {
    copied = await navigator.clipboard.writeText(location.origin + address()).then(() => true, () => false);
    redraw();
  }

  function pressed(event) {
    const name = KEYS[event.key];
    const takes = event.key === " " ? "button, a, summary, select, input, dialog" : "select, input, dialog";
    if (!name || !commits.length || event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.(takes)) return;
    event.preventDefault();
    act[name]();
  }

  addEventListener("keydown", pressed);
  redraw();
  load().catch(fail);

  return {
    redraw() {
      list?.redraw();
      redraw();
    },
    close() {
      playing = null;
      leaving.abort();
      step.abort();
      clearTimeout(noting);
      removeEventListener("keydown", pressed);
    },
  };
}
