// What can one do here? Play at once; go on with what one has begun; join, watch or look back at what others play.

import { ask, Failure } from "./api.js";
import { h, render } from "./dom.js";
import { arenaList, gameList, ownList, readAll } from "./lists.js";
import { looking } from "./looking.js";
import { newGame } from "./new-game.js";
import { refusal } from "./refusal.js";
import { ruleSets } from "./rules.js";
import { t } from "./text.js";

const EVERY = 4000; // milliseconds from one look at the lists to the next

export function open(place) {
  const closed = new AbortController(), { signal } = closed;
  let form = null, refused = null;
  const lists = [ownList(() => again()), gameList(() => again()), arenaList()];
  const again = looking(look, signal);

  function redraw() {
    if (signal.aborted) return;
    const [own, games, arenas] = lists.map((list) => list.draw());
    render(
      place,
      h("h1", {}, t("common.title")),
      h(
        "div",
        { class: "lobby" },
        form ? form.draw() : h("div", { class: "panel new-game" }, refused && h("p", { class: "error" }, refusal(refused))),
        h("div", { class: "lists" }, own, games, arenas),
      ),
    );
  }

  async function look() {
    redraw();
    await readAll(lists, signal);
    redraw();
    return EVERY;
  }

  async function begin() {
    const waiting = { signal, patience: Infinity };
    try {
      const [sets, { bots }] = await Promise.all([ruleSets(waiting), ask("/v1/bots", waiting)]);
      form = newGame({ sets, bots, redraw, signal });
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
