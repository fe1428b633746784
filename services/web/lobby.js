// What can one do here? Play at once; go on with what one has begun; join, watch or look back at what others play.

import { ask } from "./api.js";
import { h, render } from "./dom.js";
import { arenaList, gameList, ownList, readAll } from "./lists.js";
import { newGame } from "./new-game.js";
import { ruleSets } from "./rules.js";
import { t } from "./text.js";

const EVERY = 4000; // milliseconds from one look at the lists to the next

export function open(place) {
  const closed = new AbortController(), { signal } = closed;
  let form = null, timer = 0;
  const lists = [ownList(again), gameList(again), arenaList()];

  function redraw() {
    if (signal.aborted) return;
    const [own, games, arenas] = lists.map((list) => list.draw());
    render(
      place,
      h("h1", {}, t("common.title")),
      h(
        "div",
        { class: "lobby" },
        form ? form.draw() : h("div", { class: "panel new-game" }),
        h("div", { class: "lists" }, own, games, arenas),
      ),
    );
  }

  // Only whoever looks is shown what is new.
  async function again() {
    clearTimeout(timer);
    if (document.visibilityState === "visible") {
      redraw();
      await readAll(lists, signal);
      redraw();
    }
    clearTimeout(timer);
    if (!signal.aborted) timer = setTimeout(again, EVERY);
  }

  async function begin() {
    const waiting = { signal, patience: Infinity };
    try {
      const [sets, { bots }] = await Promise.all([ruleSets(waiting), ask("/v1/bots", waiting)]);
      form = newGame({ sets, bots, redraw, signal });
      await again();
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  document.addEventListener("visibilitychange", again, { signal });
  begin();
  return {
    redraw,
    close() {
      closed.abort();
      clearTimeout(timer);
    },
  };
}
