// How does a league stand? One arena: how far it has come, its standings as they grow, and its games.

import { ask, Failure, Problem } from "./api.js";
import { h, render } from "./dom.js";
import { withKey } from "./key.js";
import { gameList } from "./lists.js";
import { looking } from "./looking.js";
import { refusal } from "./refusal.js";
import { rulesName, ruleSets } from "./rules.js";
import { figures, matrix, pictures, standings } from "./standings.js";
import { listOf, number, t } from "./text.js";

const LEAST = 1000, MOST = 30_000; // milliseconds between two looks
const PATIENCE = 15; // for each that the service has counted, so many times as long are waited
const MANY = 4; // more bots than this need the whole width for who beat whom
const over = (report) => ["ended", "cancelled"].includes(report.status);

export function open(place, { arena }) {
  const closed = new AbortController(), { signal } = closed;
  const games = gameList(more, arena);
  let report = null, problem = null, sure = false, busy = false, refused = null;

  function redraw() {
    if (signal.aborted) return;
    if (problem) return render(place, h("h1", {}, t("arena.title")), unknown());
    if (!report) return;
    const kind = report.bots.length > MANY ? "arena many" : "arena";
    render(place, h("h1", {}, t("arena.of", { bots: names(report) })), h("div", { class: kind }, panels()));
  }

  const unknown = () =>
    h("div", { class: "panel" }, h("p", {}, t("arena.unknown")), h("a", { class: "button", href: "/arenas" }, t("arena.all")));

  const panel = (name, ...inside) =>
    h("section", { key: name, class: `panel ${name}`, "aria-labelledby": name }, h("h2", { id: name }, t(`arena.${name}`)), inside);

  const panels = () => [
    h(
      "section",
      { key: "course", class: "panel course", "aria-label": t("arena.course") },
      course(),
      report.sprt && verdict(report),
      stop(),
    ),
    panel("standings", standings(report), pictures(report), h("p", { class: "soft" }, t("arena.about"))),
    panel("pairs", matrix(report), h("p", { class: "soft" }, t("arena.pairsAbout"))),
    panel("endings", report.done ? figures(report) : h("p", { class: "soft" }, t("arena.noneYet"))),
    h("div", { key: "games", class: "lists" }, games.draw()),
  ];

  function course() {
    const { done, games: all, status, seed } = report;
    const told = t("arena.done", { n: all, done: number(done), all: number(all) });
    return h(
      "div",
      { class: "progress" },
      h("p", {}, h("strong", { role: "status" }, t(`arena.status.${status}`)), " · ", told, " · ", rulesName(report.rules)),
      h("progress", { max: all, value: over(report) ? all : done, "aria-label": told }),
      seed !== null && h("p", { class: "soft" }, t("arena.seed", { seed })),
    );
  }

  function stop() {
    if (over(report)) return null;
    const end = h("button", { key: "end", onclick: () => doubt(true) }, t("arena.cancel"));
    const really = h(
      "div",
      { key: "sure", class: "row", role: "group", "aria-label": t("arena.cancel") },
      h("span", {}, t("arena.sure")),
      h("button", { class: "main", onclick: cancel, "aria-disabled": busy ? "true" : null }, t("arena.yes")),
      h("button", { onclick: () => doubt(false) }, t("arena.no")),
    );
    return h("div", { class: "stop" }, sure ? really : end, refused && h("p", { class: "error", role: "alert" }, refused));
  }

  function doubt(value) {
    [sure, refused] = [value, null];
    redraw();
    place.querySelector(".stop button")?.focus();
  }

  async function cancel() {
    if (busy) return;
    busy = true;
    try {
      report = await withKey((headers) => ask(`/v1/arenas/${arena}`, { method: "DELETE", headers, signal }));
      sure = false;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Failure)) throw error;
      refused = refusal(error);
    } finally {
      busy = false;
      redraw();
    }
  }

  // The report is counted anew for each look: the longer that takes, the less often it is asked for.
  async function look() {
    const before = performance.now();
    try {
      const found = await ask(`/v1/arenas/${arena}`, { signal, patience: Infinity });
      if (!(report && over(report))) report = found;
      // A whole page of games stays as it is, so that one can choose among them.
      if (over(report) || !games.full()) await games.read({ signal, patience: Infinity });
    } catch (error) {
      if (signal.aborted) return null;
      if (!(error instanceof Problem)) throw error;
      problem = error;
    }
    redraw();
    const took = performance.now() - before;
    return problem || over(report) ? null : Math.min(Math.max(PATIENCE * took, LEAST), MOST);
  }

  // The list of games has been turned to another page.
  async function more() {
    redraw();
    await games.read({ signal, patience: Infinity }).catch((error) => signal.aborted || Promise.reject(error));
    redraw();
  }

  ruleSets({ signal, patience: Infinity }).then(looking(look, signal), (error) => signal.aborted || Promise.reject(error));
  return { redraw, close: () => closed.abort() };
}

const names = (report) => listOf(report.bots.map((bot) => bot.bot).toSorted());

// What a sequential test says, in words, and where between its two bounds it is.
function verdict({ sprt, status, pairs, bots }) {
  const [first, second] = pairs[0]?.bots ?? bots.map((bot) => bot.bot);
  const open = sprt.verdict === "undecided" && !over({ status });
  const [elo0, elo1, llr, lower, upper] = [sprt.elo0, sprt.elo1, sprt.llr, sprt.lower, sprt.upper].map(number);
  const words = t(`arena.sprt.${open ? "open" : sprt.verdict}`, { first, second, elo0, elo1 });
  const told = t("arena.sprt.evidence", { n: sprt.pairs, llr, lower, upper });
  return h(
    "div",
    { class: "verdict" },
    h("p", {}, h("strong", {}, t("arena.sprt.title")), " ", words),
    h("meter", { min: sprt.lower, max: sprt.upper, value: sprt.llr, "aria-label": told }),
    h("p", { class: "soft" }, told),
  );
}
