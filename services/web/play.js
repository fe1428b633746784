// The screen of one game: to play where this browser holds a seat, to join where one is open, else to watch.
//
// What is shown is always the service's own view of one version (course.js); what is chosen is tried by sending it (choosing.js).

import { ask, asSeat, connection, Failure, Problem } from "./api.js";
import { choosing } from "./choosing.js";
import { HURRY, tick } from "./clock.js";
import { course } from "./course.js";
import { render } from "./dom.js";
import { drags } from "./drag.js";
import { plays, screen } from "./game-screen.js";
import { focusOn, step } from "./keys.js";
import { followMatch } from "./match.js";
import { perform } from "./motion.js";
import { names, told } from "./news.js";
import { keep, keeps, kept, pace } from "./own.js";
import { noGame, playAgain } from "./panels.js";
import { refusal } from "./refusal.js";
import { ruleSets } from "./rules.js";
import { t } from "./text.js";

const AWAY = 4000; // milliseconds without a word from a bot whose turn it is
const TOLD = 60; // moves that are listed
const FRESH = 12; // commits since a game was made: seats taken, the deal, and a bot's first moves

export function open(place, { game }) {
  const now = { view: null, problem: null, moving: false, sending: false, away: false, fresh: false };
  Object.assign(now, { word: "", notice: "", dialog: null, moves: [], match: null });
  now.listed = matchMedia("(min-width: 70rem)").matches;
  let path = null, closed = false, began = 0, over = false, starts = 0;
  let byKeys = false, back = null; // is the table played by keys, and where was the card that was played last?
  let quiet = 0, dropped = null, hurried = 0;
  const leaving = new AbortController();

  const inMatch = (match) => {
    now.match = match;
    redraw();
  };
  const free = () => (path && plays(now.view) && !now.moving && !now.sending ? now.view : null);
  const choices = choosing({ view: free, send, say, redraw });
  const acts = { start, send, resign, rematch, straight, open: opened, list: (shown) => (now.listed = shown) };

  function say(text) {
    now.word = text;
    redraw();
  }

  // --- What comes ---

  async function start() {
    path?.close();
    path = null;
    choices.forget();
    const mine = ++starts, headers = asSeat(game), asked = { headers, patience: Infinity, signal: leaving.signal };
    try {
      let view = await ask(`/v1/games/${game}`, asked);
      const fresh = isFresh(view);
      if (fresh) view = await ask(`/v1/games/${game}?at=1`, asked);
      if (closed || mine !== starts) return;
      Object.assign(now, { view, fresh, moves: [], sending: false, problem: null });
      if (view.seat !== null && !keeps()) now.notice = t("table.notKept");
      began = view.version;
      over = false;
      path = course(game, view, { headers, show, move, tell, fail: lost });
      show(view);
      if (view.rules.match !== null && now.match === null) {
        followMatch(game, { then: inMatch, over: () => over, signal: leaving.signal });
      }
    } catch (problem) {
      if (!closed && mine === starts) lost(problem);
    }
  }

  // A seat's first look at a game that has just begun: it is shown from the deal on. Only once: a page loaded again shows what is.
  function isFresh(view) {
    const first = Boolean(kept(game).token) && !kept(game).looked && view.status !== "open";
    if (first) keep(game, { looked: true });
    return first && pace() > 0 && view.start === "dealt" && view.version <= FRESH;
  }

  function lost(problem) {
    if (!(problem instanceof Problem)) throw problem;
    if (problem.code === "unknown_version") start(); // the log has lost its end in a crash of the store
    else if (kept(game).token && ["bad_token", "forbidden"].includes(problem.code)) {
      keep(game, { token: undefined, seat: undefined });
      now.notice = t("table.seatLost");
      start();
    } else {
      path?.close();
      Object.assign(now, { view: null, problem });
      redraw();
    }
  }

  function show(view) {
    const { turn, version } = now.view;
    if (view.version !== version) {
      choices.forget();
      now.fresh = false;
    }
    if (view.turn?.number !== turn?.number) now.word = "";
    Object.assign(now, { view, moving: path.busy });
    listen();
    redraw();
    document.title = view.legal.length > 0 ? `${t("table.yourTurn")} ${t("common.title")}` : t("common.title");
    // Who was there when it ended is brought to the result; who comes later finds it on top.
    if (view.result && !now.moving && !over) {
      over = true;
      if (view.version > began) place.querySelector("#result-title")?.focus();
    }
    if (back !== null && byKeys && free() && view.turn.seat === view.seat) {
      focusOn(place, back);
      back = null;
    }
  }

  // A bot that says nothing for a while is away: its worker has stopped, say. Nothing is lost, and it goes on by itself.
  function listen() {
    clearTimeout(quiet);
    now.away = false;
    if (now.moving || now.view.status !== "playing" || now.view.seats[now.view.turn.seat].kind !== "bot") return;
    quiet = setTimeout(() => {
      now.away = connection.reached;
      redraw();
    }, AWAY);
  }

  async function move(view, commit, factor, signal) {
    Object.assign(now, { moving: true, fresh: false });
    listen();
    const draw = (one) => {
      now.view = one;
      redraw();
    };
    const from = dropped?.version === commit.version ? dropped.box : null;
    await perform(place, view, commit, draw, factor, { signal, from });
  }

  function tell(commit) {
    const text = told(commit, names(now.view), now.view.seat);
    if (text) now.moves = [...now.moves, { version: commit.version, text }].slice(-TOLD);
  }

  // --- What is done ---

  async function send(text, from, box) {
    const seen = now.view;
    return acted(`/v1/games/${game}/moves`, { body: { move: text }, seen: seen.version }, seen, text, ({ version }) => {
      back = from;
      dropped = box && { version, box };
    });
  }

  async function resign() {
    await acted(`/v1/games/${game}/resign`, { method: "POST" }, now.view, null, () => {});
  }

  // Whether it counted: the answer goes the way of all commits.
  async function acted(address, asked, seen, text, then) {
    now.sending = true;
    say("");
    try {
      const answer = await ask(address, { ...asked, headers: asSeat(game) });
      choices.forget();
      then(answer);
      now.sending = false;
      path?.add(answer);
      return true;
    } catch (problem) {
      now.sending = false;
      if (!(problem instanceof Failure)) throw problem;
      if (["bad_token", "forbidden"].includes(problem.code)) lost(problem);
      else say(refusal(problem, seen, text));
      return false;
    } finally {
      redraw();
    }
  }

  async function rematch() {
    now.sending = true;
    say("");
    try {
      await playAgain(game, leaving.signal);
    } catch (problem) {
      if (closed) return;
      now.sending = false;
      if (!(problem instanceof Failure)) throw problem;
      say(refusal(problem));
    }
  }

  function straight(event) {
    const found = event.target.closest("[data-place]");
    if (found && free()) choices.straight(found.dataset.place);
  }

  async function opened(dialog) {
    try {
      if (dialog === "rules") await ruleSets({ patience: 0, signal: leaving.signal });
      now.dialog = dialog;
      redraw();
    } catch (problem) {
      if (closed) return;
      if (!(problem instanceof Failure)) throw problem;
      say(refusal(problem));
    }
  }

  function redraw() {
    if (closed) return;
    if (now.problem) return render(place, noGame(now.problem));
    if (now.view === null) return;
    const focused = place.contains(document.activeElement) ? document.activeElement.dataset.place : null;
    render(place, screen(game, now, choices, acts));
    if (focused && !place.contains(document.activeElement)) focusOn(place, focused);
    count();
  }

  function count() {
    const { clock, turn, seat } = now.view ?? {}, left = tick(place, clock?.deadline);
    if (left === null || left > HURRY || turn.seat !== seat || hurried === turn.number) return;
    hurried = turn.number;
    say(t("table.hurry", { n: left }));
  }

  function pressed(event) {
    byKeys = true;
    if (event.key === "Escape") choices.letGo();
    else step(place, event);
  }

  const pointed = () => (byKeys = false);
  const stopDrags = drags(place, { lift: choices.lift, drop: choices.go });
  const counting = setInterval(count, 250);
  place.addEventListener("keydown", pressed);
  place.addEventListener("pointerdown", pointed);
  start();
  return {
    redraw,
    close() {
      closed = true;
      leaving.abort();
      path?.close();
      stopDrags();
      clearInterval(counting);
      clearTimeout(quiet);
      place.removeEventListener("keydown", pressed);
      place.removeEventListener("pointerdown", pointed);
    },
  };
}
