// The screen of one game: to play where this browser holds a seat, to join where one is open, else to watch.
//
// What is shown is always the service's own view of one version (course.js); what is chosen is tried by sending it (choosing.js). Here
// both are drawn, and told in words.

import { ask, asSeat, Away, connection, Problem } from "./api.js";
import { choosing } from "./choosing.js";
import { clock, tick } from "./clock.js";
import { course } from "./course.js";
import { h, render } from "./dom.js";
import { drags } from "./drag.js";
import { focusOn, step } from "./keys.js";
import { cardAt, parts, placesOf } from "./moves.js";
import { perform } from "./motion.js";
import { names, refusal, told } from "./news.js";
import { keep, kept } from "./own.js";
import { playAgain, reading, resultPanel, surely } from "./panels.js";
import { inWords, turnWords } from "./position.js";
import { table } from "./table.js";
import { cardName, rankName, t } from "./text.js";

const AWAY = 4000; // milliseconds without a word from a bot whose turn it is
const TOLD = 60; // moves that are listed; the last few are read out
const READ_OUT = 6;

export function open(place, { game }) {
  let seen = null, moving = false, sending = false, word = "", away = false, dialog = null, others = {}, byKeys = false, back = null;
  let path = null, closed = false, quiet = 0, moves = [], notice = "", landing = new Map();

  const playing = () => seen?.status === "playing" && seen.seat !== null;
  const choices = choosing({ view: () => (playing() && !moving && !sending ? seen : null), send, say, redraw });

  function say(text) {
    word = text;
    redraw();
  }

  // --- What comes ---

  async function start() {
    path?.close();
    path = null;
    choices.forget();
    let view;
    try {
      view = await ask(`/v1/games/${game}`, { headers: asSeat(game), patience: Infinity });
    } catch (problem) {
      if (!closed) lost(problem);
      return;
    }
    if (closed) return;
    await need(view);
    seen = view;
    moves = [];
    path = course(game, view, { headers: asSeat(game), show, move, tell, fail: lost });
    show(view);
  }

  // Modules that only some games need.
  async function need(view) {
    if (view.status === "open") others.invite = await import("./invite.js");
    others.fair ??= await import("./fair.js").catch(() => null);
  }

  function lost(problem) {
    if (problem instanceof Problem && kept(game).token && ["bad_token", "forbidden"].includes(problem.code)) {
      keep(game, { token: undefined, seat: undefined });
      notice = t("table.seatLost");
      start();
    } else if (problem.code === "unknown_version") start(); // the log has lost its end in a crash of the store
    else render(place, h("h1", {}, t("common.title")), h("p", {}, refusal(problem)), h("p", {}, h("a", { class: "button", href: "/" }, t("table.lobby"))));
  }

  function show(view) {
    const turned = view.turn?.seat !== seen.turn?.seat || view.turn?.number !== seen.turn?.number;
    if (turned) choices.forget();
    if (seen.version !== view.version) word = "";
    const began = seen.status === "open" && view.status !== "open";
    seen = view;
    moving = path?.busy ?? false;
    away = false;
    clearTimeout(quiet);
    const waiting = view.status === "playing" && view.seats[view.turn.seat].kind === "bot";
    if (waiting && !closed) quiet = setTimeout(() => ((away = connection.reached), redraw()), AWAY);
    redraw();
    if (began) scrollTo(0, 0);
    if (back !== null && byKeys && !moving && view.turn?.seat === view.seat && view.status === "playing") {
      focusOn(place, back);
      back = null;
    }
  }

  async function move(view, commit, pace, signal) {
    moving = true;
    clearTimeout(quiet);
    away = false;
    const draw = (one) => {
      seen = one;
      redraw();
    };
    await perform(place, view, commit, draw, pace, { signal, from: landing.get(commit.version) });
    landing.clear();
  }

  function tell(commit) {
    const text = told(commit, names(seen), seen.seat);
    if (text) moves = [...moves, { version: commit.version, text }].slice(-TOLD);
  }

  // --- What is done ---

  async function send(text, from, box) {
    const asked = path.shown;
    sending = true;
    say("");
    try {
      const answer = await ask(`/v1/games/${game}/moves`, { body: { move: text }, headers: asSeat(game), seen: asked.version });
      choices.forget();
      back = from;
      if (box) landing.set(answer.version, box);
      sending = false;
      path.add({ version: answer.version, events: answer.events, view: answer.view });
      return true;
    } catch (problem) {
      sending = false;
      if (!(problem instanceof Problem || problem instanceof Away)) throw problem;
      if (["bad_token", "forbidden"].includes(problem.code)) lost(problem);
      else say(refusal(problem, valuesOf(asked, text, problem.reason)));
      return false;
    }
  }

  async function resign() {
    try {
      const answer = await ask(`/v1/games/${game}/resign`, { method: "POST", headers: asSeat(game) });
      path.add({ version: answer.version, events: answer.events, view: answer.view });
    } catch (problem) {
      say(refusal(problem));
    }
  }

  async function rematch() {
    sending = true;
    say("");
    try {
      await playAgain(game);
    } catch (problem) {
      sending = false;
      say(refusal(problem));
    }
  }

  // --- What is drawn ---

  function redraw() {
    if (closed || seen === null) return;
    const focused = place.contains(document.activeElement) ? document.activeElement.dataset.place : null;
    render(place, screen(seen));
    if (focused && document.activeElement === document.body) focusOn(place, focused);
    tick(place, seen.clock?.deadline);
  }

  function screen(view) {
    const who = names(view), me = view.seat ?? 0, over = view.result !== null && !moving;
    return h(
      "div",
      { class: "play", "data-status": view.status, "data-busy": moving || sending ? "" : null },
      h("h1", { class: "heard" }, t("table.title", { names: who.join(" – ") })),
      notice && h("p", { key: "notice", class: "notice", role: "status" }, notice),
      over
        ? resultPanel(game, view, { rematch, busy: sending, arrived: path?.shown.version > 1 && moves.length ? (title) => title.focus() : null })
        : h("p", { key: "turn", class: "whose" }, away ? t("table.away", { who: who[view.turn.seat] }) : turnWords(view, who)),
      h("p", { key: "word", class: "word", role: "alert" }, word),
      view.status === "open" ? waiting(view) : null,
      h("p", { key: "hint", class: "hint" }, word ? "" : hint(view)),
      h(
        "div",
        { key: "table", ondblclick: straight, onpointerdown: () => (byKeys = false) },
        table(view, {
          me,
          name: (seat) => (seat === view.seat ? t("table.you", { name: who[seat] }) : who[seat]),
          choose: playing() ? choices.choose : undefined,
          mark: choices.mark,
          say: (one) => choices.say(one),
          beside: (seat) => (view.clock?.deadline && view.turn?.seat === seat && !view.result ? clock() : null),
          busy: moving || sending,
        }),
      ),
      actions(view),
      h("div", { key: "live", class: "heard", "aria-live": "polite" }, moves.slice(-READ_OUT).map(({ version, text }) => h("p", { key: version }, text))),
      below(view),
      dialogs(view),
    );
  }

  function hint(view) {
    if (!playing() || moving || view.turn?.seat !== view.seat) return "";
    if (choices.chosen !== null) return t("table.hint.where", { card: cardName(cardAt(view, choices.chosen) ?? "**") });
    if (view.legal.includes("pass") && view.legal.length === 1) return t("table.hint.pass");
    return t(view.legal.some((move) => move.includes(">c")) ? "table.hint.play" : "table.hint.discard");
  }

  function waiting(view) {
    const { joinPanel, inviteLink } = others.invite ?? {};
    return kept(game).token ? inviteLink?.(game) : joinPanel?.(game, view, () => start());
  }

  function actions(view) {
    const button = (name, onclick, main) => h("button", { type: "button", class: main ? "main" : "plain", onclick }, t(`table.${name}`));
    return h(
      "div",
      { key: "actions", class: "row actions" },
      view.legal.includes("pass") && button("pass", () => moving || sending || send("pass", null), true),
      button("inWords", () => opened("words")),
      h("a", { class: "button plain", href: "/how-to-play", target: "_blank" }, t("common.nav.howto")),
      playing() && !view.seats[view.seat].resigned && button("resign", () => opened("resign")),
    );
  }

  function below(view) {
    return h(
      "div",
      { key: "below", class: "below-table" },
      h(
        "details",
        { key: "moves", class: "panel" },
        h("summary", {}, t("table.moves")),
        h("ol", { class: "moves", reversed: true }, moves.toReversed().map(({ version, text }) => h("li", { key: version, value: version }, text))),
      ),
      others.fair?.fairPanel(game, view),
    );
  }

  function opened(what) {
    dialog = what;
    redraw();
  }

  function dialogs(view) {
    const close = () => opened(null);
    if (dialog === "resign") {
      return surely({ title: t("table.resignTitle"), text: t("table.resignText"), yes: t("table.resign"), then: resign, close });
    }
    const make = (move) => (event) => {
      event.target.closest("dialog").close();
      send(move, placesOf(view, move)?.from ?? null);
    };
    if (dialog === "words") return reading({ title: t("table.inWords"), inside: inWords(view, make), close });
    return null;
  }

  function straight(event) {
    const found = event.target.closest("[data-place]");
    if (found && playing()) choices.straight(found.dataset.place);
  }

  function pressed(event) {
    byKeys = true;
    if (event.key === "Escape") choices.letGo();
    else step(place, event);
  }

  const stopDrags = drags(place, { lift: choices.lift, drop: choices.go });
  const ticking = setInterval(() => seen && tick(place, seen.clock?.deadline), 250);
  place.addEventListener("keydown", pressed);
  start();
  return {
    redraw,
    close() {
      closed = true;
      path?.close();
      stopDrags();
      clearInterval(ticking);
      clearTimeout(quiet);
      place.removeEventListener("keydown", pressed);
    },
  };
}

// What a refusal of this move may speak of.
function valuesOf(view, move, reason) {
  const found = placesOf(view, move), who = names(view);
  const pile = found?.to.startsWith("c") ? parts(found.to)[1] : null;
  const needs = pile === null ? null : view.needs[pile];
  return {
    card: found?.card ? cardName(found.card) : "",
    n: pile !== null ? pile + 1 : reason === "cards_in_hand" ? view.hand.length : view.stock + view.aside,
    rank: needs === null ? "" : rankName(needs),
    who: view.turn ? who[view.turn.seat] : "",
  };
}
