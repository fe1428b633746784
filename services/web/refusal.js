// Why was something refused? In the page's language, with the values and the rule.

import { Away } from "./api.js";
import { parts, placesOf } from "./moves.js";
import { names } from "./news.js";
import { aRank, hasText, sentence, t, theCard } from "./text.js";

/** Why what was asked for has not been done: a `Failure` in words. `view` and `move` are those of a move that was tried. */
export function refusal(failure, view, move) {
  if (failure instanceof Away) return t(view ? "problems.away" : "common.away");
  const { reason, code, message: detail } = failure;
  const name = reason ? `reasons.${reason}` : hasText(`problems.${code}`) ? `problems.${code}` : "problems.other";
  return sentence(t(name, { detail, ...(view && valuesOf(view, move, reason)) }));
}

// What the refusal of a move may speak of.
function valuesOf(view, move, reason) {
  const found = move && placesOf(view, move);
  const pile = found?.to.startsWith("c") ? parts(found.to)[1] : null;
  const needs = pile === null ? null : view.needs[pile];
  return {
    theCard: found?.card ? theCard(found.card) : "",
    n: pile !== null ? pile + 1 : reason === "cards_in_hand" ? view.hand.length : view.stock + view.aside,
    aRank: needs === null ? "" : aRank(needs),
    who: view.turn ? names(view)[view.turn.seat] : "",
  };
}
