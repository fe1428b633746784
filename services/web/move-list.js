// What was played, all of it? A list by turns, in which the present version is marked and any can be gone to.
//
// It is drawn once and then only marked: a long game has thousands of entries.

import { h, render } from "./dom.js";
import { told } from "./news.js";
import { t } from "./text.js";

const SEEN = ["CardsDrawn", "StockShuffled"]; // the table shows them well enough

/** The turns of a game: `{ seat, number, first, last }`, versions at which something was done in it; the start has no seat. */
export function turnsOf(commits) {
  const turns = [{ seat: null, number: 0, first: 1, last: 0 }];
  for (const { version, events } of commits) {
    turns.at(-1).last = version;
    const begun = events.findLast((event) => event.type === "TurnStarted" || event.type === "PositionSet");
    if (begun) turns.push({ seat: begun.seat, number: begun.turn, first: version + 1, last: version });
  }
  return turns.filter((turn) => turn.first <= turn.last);
}

/** What a commit did, in words, without the event types `left` out. */
export function said(commit, who, left = SEEN) {
  const events = commit.events.filter((event) => !left.includes(event.type));
  return told({ ...commit, events }, who, null) || t("replay.began");
}

/** Draw the list into an element. Answers with `mark(version)` and `redraw()`; `to(version)` is called to go there. */
export function moveList(place, { turns, commits, who, to }) {
  let marked = null;

  const entry = (version) => {
    const text = said(commits[version - 1], who, [...SEEN, "TurnStarted"]); // of turns the headings tell
    const props = { type: "button", class: "plain", "data-version": version, onclick: () => to(version) };
    return h("li", { key: version }, h("button", props, text));
  };

  function redraw() {
    render(
      place,
      h("h2", {}, t("replay.moves")),
      turns.map(({ seat, number, first, last }) =>
        h(
          "section",
          { key: first },
          h("h3", {}, seat === null ? t("replay.start") : t("replay.turn", { n: number, who: who[seat] })),
          h("ol", { start: first }, Array.from({ length: last - first + 1 }, (_, index) => entry(first + index))),
        ),
      ),
    );
  }

  function mark(version) {
    const now = place.querySelector(`[data-version="${version}"]`);
    if (now === marked) return;
    marked?.removeAttribute("aria-current");
    marked = now;
    now.setAttribute("aria-current", "step");
    const { top, bottom } = now.getBoundingClientRect(), frame = place.getBoundingClientRect();
    if (top < frame.top || bottom > frame.bottom) place.scrollTop += (top + bottom - frame.top - frame.bottom) / 2;
  }

  redraw();
  return { mark, redraw };
}
