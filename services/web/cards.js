// What does a card look like? Its face is text and CSS; its name is there for whoever hears the page.

import { h } from "./dom.js";
import { cardName, rankOf, rankText } from "./text.js";

const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };

/** A card's short text for the eye: `7♥`, `10♠`, `★`. */
export const cardText = (card) => (card === "**" ? "★" : rankText(rankOf(card)) + SUITS[card[1]]);

/** The face of a card; `props` go to the element. What it is called is said by whatever holds it. */
export function face(card, { class: more = "", ...props } = {}) {
  const joker = card === "**";
  const colour = joker ? "joker" : "dh".includes(card[1]) ? "red" : "black";
  const rank = joker ? "★" : rankText(rankOf(card)), suit = joker ? "" : SUITS[card[1]];
  return h(
    "span",
    { class: `card ${colour} ${more}`, "aria-hidden": "true", ...props },
    h("span", { class: "corner" }, rank, h("small", {}, suit)),
    h("span", { class: "pip" }, joker ? "★" : suit),
  );
}

/** The back of a card. */
export const back = ({ class: more = "", ...props } = {}) =>
  h("span", { class: `card back ${more}`, "aria-hidden": "true", ...props });

/** A place where no card lies. */
export const empty = ({ class: more = "", ...props } = {}) =>
  h("span", { class: `card none ${more}`, "aria-hidden": "true", ...props });

export { cardName };
