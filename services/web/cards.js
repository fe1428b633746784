// What does a card look like? Its face is text and CSS; its name is there for whoever hears the page.

import { h } from "./dom.js";
import { rankOf, rankText } from "./text.js";

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

/** A layer over the page that holds a card as wide as this box, where the box is: for what flies, or is carried. */
export function ghost(box) {
  const layer = document.createElement("div");
  layer.className = "ghost";
  layer.ariaHidden = "true";
  const where = { left: box.left, top: box.top, "--card": box.width };
  for (const name in where) layer.style.setProperty(name, `${where[name]}px`);
  document.body.append(layer);
  return layer;
}

/** A place where no card lies. */
export const empty = ({ class: more = "", ...props } = {}) =>
  h("span", { class: `card none ${more}`, "aria-hidden": "true", ...props });
