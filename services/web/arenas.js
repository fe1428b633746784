// Which leagues are there, and how is one begun? The list, newest first, and the form beside it.

import { ask, Failure } from "./api.js";
import { h, render } from "./dom.js";
import { newLeague } from "./league.js";
import { looking } from "./looking.js";
import { refusal } from "./refusal.js";
import { rulesName, ruleSets } from "./rules.js";
import { ago, number, t } from "./text.js";

const ROWS = 10; // of a page
const EVERY = 2000; // milliseconds from one look at the list to the next

export function open(place) {
  const closed = new AbortController(), { signal } = closed;
  const again = looking(look, signal);
  let form = null, refused = null, page = null, before = [], asked = 0;

  function redraw() {
    if (signal.aborted) return;
    render(
      place,
      h("h1", {}, t("arena.title")),
      h("p", { class: "what" }, t("arena.what")),
      h("div", { class: "arenas" }, form ? form.draw() : h("div", { class: "panel league" }, told()), list()),
    );
  }

  const told = () => refused && h("p", { class: "error" }, refusal(refused));

  function list() {
    const shown = page?.arenas ?? [], newer = before.length > 0;
    return h(
      "section",
      { class: "panel", "aria-labelledby": "list" },
      h("h2", { id: "list" }, t("arena.list")),
      h("ul", { class: "rows" }, shown.map(line)),
      page && shown.length === 0 && h("p", { class: "soft" }, t("arena.noArena")),
      (newer || page?.next) && h("div", { class: "row" }, turner("newer", newer), turner("older", page?.next)),
    );
  }

  const line = ({ arena, bots, rules, status, done, games, started_at, verdict }) =>
    h(
      "li",
      { key: arena },
      h(
        "a",
        { href: `/arenas/${arena}` },
        h("span", { class: "names" }, bots.map((bot, n) => [n > 0 && " – ", h("bdi", {}, bot)])),
        h("span", { class: "state" }, [t(`arena.status.${status}`), rulesName(rules), ago(started_at)].join(" · ")),
        h("progress", { max: games, value: ["ended", "cancelled"].includes(status) ? games : done, "aria-hidden": "true" }),
        h(
          "span",
          { class: "state" },
          t("arena.done", { n: games, done: number(done), all: number(games) }),
          verdict && ` · ${t(`arena.verdicts.${verdict}`)}`,
        ),
      ),
    );

  const turner = (name, can) =>
    h("button", { key: name, "aria-disabled": can ? null : "true", onclick: () => can && turn(name) }, t(`arena.${name}`));

  async function turn(name) {
    if (name === "older") before.push(page.next);
    else before.pop();
    await again();
  }

  async function look() {
    const mine = ++asked, cursor = before.at(-1);
    const query = new URLSearchParams({ limit: ROWS, ...(cursor && { cursor }) });
    try {
      const found = await ask(`/v1/arenas?${query}`, { signal, patience: Infinity });
      if (mine === asked) page = found;
    } catch (error) {
      if (!(error instanceof Failure || signal.aborted)) throw error;
    }
    redraw();
    return EVERY;
  }

  async function begin() {
    const waiting = { signal, patience: Infinity };
    try {
      const [sets, { bots }] = await Promise.all([ruleSets(waiting), ask("/v1/bots", waiting)]);
      form = newLeague({ sets, bots, redraw, signal });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Failure)) throw error;
      refused = error;
    }
    await again();
  }

  begin();
  return { redraw, close: () => closed.abort() };
}
