// How does the table stand, in words? All that the eye finds on it, and all that may be done, for whoever hears the page.

import { h } from "./dom.js";
import { placesOf } from "./moves.js";
import { names, sentence } from "./news.js";
import { cardName, rankName, t } from "./text.js";

const list = (cards) => (cards.length ? cards.map(cardName).join(", ") : t("table.words.none"));

/** What is called "needs eight" of a pile, or that it is full. */
const need = (view, pile) => (view.needs[pile] === null ? t("table.words.full") : t("table.places.needs", { rank: rankName(view.needs[pile]) }));

/** The position as a description: headings, lists, and the legal moves as buttons that call `make(move)`. */
export function inWords(view, make) {
  const who = names(view), { rules, turn } = view, mine = view.seat;
  const order = view.seats.map((_, n) => (n + (mine ?? 0)) % view.seats.length);
  return [
    h("p", {}, [turnWords(view, who), t(rules.wild ? "table.words.wild" : "table.words.noWild"), rules.jokers > 0 && t("table.words.jokers")].filter(Boolean).join(" ")),
    h("h3", {}, t("table.places.middle")),
    h(
      "ul",
      {},
      view.piles.map((pile, n) => h("li", {}, sentence(`${t("table.places.centre", { n: n + 1 })}: ${topOf(pile)}, ${need(view, n)}.`))),
      h("li", {}, t("table.places.stock", { n: view.stock }), "."),
      (rules.completed === "aside" || view.aside > 0) && h("li", {}, t("table.places.aside", { n: view.aside }), "."),
    ),
    order.map((seat) => [
      h("h3", {}, seat === mine ? t("table.you", { name: who[seat] }) : who[seat]),
      h("ul", {}, seatWords(view, seat, seat === mine).map((line) => h("li", {}, sentence(line)))),
    ]),
    turn && view.legal.length > 0 && [
      h("h3", {}, t("table.words.legal")),
      h("ul", { class: "legal" }, view.legal.map((move) => h("li", {}, h("button", { type: "button", onclick: make(move) }, moveWords(view, move))))),
      h("p", { class: "soft" }, t("table.words.keys")),
    ],
  ];
}

const topOf = (pile) => (pile.length ? t("table.places.top", { card: cardName(pile.at(-1)), n: pile.length }) : t("table.places.emptyPile"));

/** Whose turn it is, in a sentence; "" before the deal. */
export function turnWords(view, who) {
  if (view.result) return t("table.over");
  if (!view.turn) return t("table.waits");
  return view.turn.seat === view.seat ? t("table.yourTurn") : t("table.turnOf", { who: who[view.turn.seat] });
}

function seatWords(view, seat, mine) {
  const { payoff, sides, hand, resigned } = view.seats[seat];
  const lines = [payoff.top === null ? t("table.places.noPayoff") : t("table.places.payoff", { card: cardName(payoff.top), n: payoff.left })];
  lines.push(mine ? t("table.places.handOf", { cards: list(view.hand) }) : t("table.places.handCount", { n: hand }));
  for (const [n, stack] of sides.entries()) {
    const names = stack.toReversed().map(cardName);
    const rest = names.slice(1).join(", ") || t("table.places.nothing");
    lines.push(names.length ? t("table.places.side", { n: n + 1, card: names[0], rest }) : t("table.places.emptySide", { n: n + 1 }));
  }
  if (resigned) lines.push(t("table.places.resigned"));
  return lines.map((line) => `${line}.`);
}

/** A move in words: "seven of hearts from the hand to centre pile 2". */
export function moveWords(view, move) {
  const places = placesOf(view, move);
  if (places === null) return t("table.pass");
  const [left, right] = move.split(">"), target = Number(right[1]) + 1;
  const source = left[0] === "s" ? t("news.from.side", { n: Number(left[1]) + 1 }) : left.startsWith("p@") ? t("news.from.partner", { owner: names(view)[left[2]] }) : t(`news.from.${left === "p" ? "payoff" : "hand"}`);
  return sentence(t(right[0] === "c" ? "table.words.play" : "table.words.discard", { card: cardName(places.card), source, n: target }));
}
