// What is called each place of the table? The names that are heard: of the places themselves, and in the table in words.

import { aRank, cardName, t } from "./text.js";

const list = (cards) => cards.map(cardName).join(", ");

/** Of a centre pile, in two parts: its number, and what lies there. */
export function centreLabel(view, index) {
  const pile = view.piles[index], top = pile.at(-1);
  return [
    t("table.places.centre", { n: index + 1 }),
    top === undefined ? t("table.places.emptyPile") : t("table.places.top", { card: cardName(top), n: pile.length }),
  ];
}

/** Of a payoff `{ top, left }`; `yours` if it is that of whoever looks. */
export function payoffLabel({ top, left }, yours) {
  if (top === null) return t("table.places.noPayoff");
  return t(`table.places.${yours ? "yourPayoff" : "payoff"}`, { card: cardName(top), n: left });
}

/** Of a side stack: all its cards, the top one first. */
export function sideLabel(stack, index) {
  const [top, ...rest] = stack.toReversed(), n = index + 1;
  if (top === undefined) return t("table.places.emptySide", { n });
  return t(rest.length ? "table.places.side" : "table.places.sideOne", { n, card: cardName(top), rest: list(rest) });
}

/** Of a hand: its cards where they are seen, else how many there are. */
export function handLabel(count, cards) {
  if (!cards) return t("table.places.handCount", { n: count });
  return cards.length ? t("table.places.handOf", { cards: list(cards) }) : t("table.places.emptyHand");
}

/** What a centre pile needs; `rank` is the view's. */
export const needLabel = (rank) => t("table.places.needs", { aRank: aRank(rank) });
