// What is chosen, and what does a choice lead to? A card is taken up by one place and sent to another, by click, key or drag.

import { cardAt, hindrance, moveText, parts, plays, targets } from "./moves.js";
import { t } from "./text.js";

/**
 * The choices of a seat. `view()` is what is shown, null while nothing can be chosen; `send(move, from, box)` tries a move and
 * answers whether it counted; `say(sentence)` tells why something is no move; `redraw()` after each change.
 */
export function choosing({ view, send, say, redraw }) {
  let chosen = null, left = null; // `left` is the place that was let go by choosing it again

  function take(place) {
    chosen = place;
    say("");
    redraw();
  }

  /** Try to go from one place to another: what the notation can say is the service's to judge. */
  function go(from, to, box) {
    const seen = view();
    if (seen === null) return false; // something has happened while the card was carried
    const move = moveText(seen, from, to);
    if (move !== null) return send(move, from, box);
    say(t(`table.no.${hindrance(seen, from, to)}`));
    return false;
  }

  function choose(place) {
    const seen = view();
    if (seen === null) return;
    const [kind] = parts(place);
    left = place === chosen ? place : null;
    if (place === chosen) take(null);
    else if (chosen !== null && targets(seen, chosen).includes(place)) go(chosen, place);
    else if (kind === "h" || (kind !== "c" && plays(seen, place).length)) take(place);
    else if (chosen !== null) go(chosen, place);
    else if (kind === "c") say(t("table.no.chooseFirst"));
    else if (cardAt(seen, place) === null) say(t("table.no.empty"));
    else take(place);
  }

  function marked(place) {
    const seen = view();
    if (seen === null) return "";
    if (chosen !== null) return place === chosen ? "chosen" : targets(seen, chosen).includes(place) ? "target" : "";
    return !place.startsWith("c") && plays(seen, place).length ? "movable" : "";
  }

  return {
    choose,
    go,
    /** May this card be taken up for dragging? Any that is seen may; where it may go is told when it is let go. */
    lift(place) {
      if (view() === null || cardAt(view(), place) === null) return false;
      take(place);
      return true;
    },
    letGo() {
      if (chosen !== null) take(null);
    },
    forget() {
      chosen = null;
    },
    /** A card chosen twice in a row, that can be played to one pile alone, goes there. */
    straight(place) {
      const seen = view(), piles = seen === null || left !== place ? [] : plays(seen, place);
      if (piles.length === 1) go(place, piles[0]);
    },
    mark: marked,
    say(place) {
      const mark = marked(place);
      return mark === "target" || mark === "movable" ? t(`table.marks.${mark}`) : "";
    },
    get chosen() {
      return chosen;
    },
  };
}
