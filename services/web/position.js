// How does the table stand, in words? All that the eye finds on it, and all that may be done, for whoever hears the page.

import { h } from "./dom.js";
import { placesOf } from "./moves.js";
import { names, sentence } from "./news.js";
import { cardName, rankName, t } from "./text.js";

const list = (cards) => (cards.length ? cards.map(cardName).join(", ") : t("table.words.none"));

const need = (rank) => (rank === null ? t("table.words.full") : t("table.places.needs", { rank: rankName(rank) }));

/** The position as a description: headings, lists, and the legal moves as buttons that call `make(move)`. */
export function inWords(view, make) {
  const who = names(view), { rules, turn } = view, mine = view.seat;
  const choice = (move) => h("button", { type: "button", onclick: make(move) }, moveWords(view, move));
  const order = view.seats.map((_, n) => (n + (mine ?? 0)) % view.seats.length);
  return [
    h("p", {}, [turnWords(view, who), ...wilds(rules)].join(" ")),
    h("h3", {}, t("table.places.middle")),
    h(
      "ul",
      {},
      view.piles.map((pile, n) => {
        const name = t("table.places.centre", { n: n + 1 });
        return h("li", {}, `${name}: ${topOf(pile)}, ${need(view.needs[n])}.`);
      }),
      h("li", {}, t("table.places.stock", { n: view.stock }), "."),
      (rules.completed === "aside" || view.aside > 0) && h("li", {}, t("table.places.aside", { n: view.aside }), "."),
    ),
    order.map((seat) => [
      h("h3", {}, seat === mine ? t("table.you", { name: who[seat] }) : who[seat]),
      h("ul", {}, seatWords(view, seat, seat === mine).map((line) => h("li", {}, sentence(line)))),
    ]),
    turn && view.legal.length > 0 && [
      h("h3", {}, t("table.words.legal")),
      h("ul", { class: "legal" }, view.legal.map((move) => h("li", {}, choice(move)))),
      h("p", { class: "soft" }, t("table.words.keys")),
    ],
  ];
}

function wilds(rules) {
  const kings = t(rules.wild ? "table.words.wild" : "table.words.noWild");
  return rules.jokers ? [kings, t("table.words.jokers")] : [kings];
}

const topOf = (pile) =>
  pile.length ? t("table.places.top", { card: cardName(pile.at(-1)), n: pile.length }) : t("table.places.emptyPile");

/** Whose turn it is, in a sentence; "" before the deal. */
export function turnWords(view, who) {
  if (view.result) return t("table.over");
  if (!view.turn) return t("table.waits");
  return view.turn.seat === view.seat ? t("table.yourTurn") : t("table.turnOf", { who: who[view.turn.seat] });
}

function seatWords(view, seat, mine) {
  const { payoff, sides, hand, resigned } = view.seats[seat];
  const top = payoff.top === null ? "noPayoff" : "payoff";
  const lines = [t(`table.places.${top}`, { card: payoff.top && cardName(payoff.top), n: payoff.left })];
  lines.push(mine ? t("table.places.handOf", { cards: list(view.hand) }) : t("table.places.handCount", { n: hand }));
  for (const [n, stack] of sides.entries()) {
    const [card, ...below] = stack.toReversed().map(cardName);
    const rest = below.join(", ") || t("table.places.nothing");
    lines.push(t(`table.places.${card ? "side" : "emptySide"}`, { n: n + 1, card, rest }));
  }
  if (resigned) lines.push(t("table.places.resigned"));
  return lines.map((line) => `${line}.`);
}

/** A move in words: "seven of hearts from the hand to centre pile 2". */
export function moveWords(view, move) {
  const places = placesOf(view, move);
  if (places === null) return t("table.pass");
  const [left, right] = move.split(">"), target = Number(right[1]) + 1;
  const from = left[0] === "s" ? "side" : left === "p" ? "payoff" : left[0] === "p" ? "partner" : "hand";
  const source = t(`news.from.${from}`, { n: Number(left[1]) + 1, owner: names(view)[left[2]] });
  const doing = right[0] === "c" ? "play" : "discard";
  return sentence(t(`table.words.${doing}`, { card: cardName(places.card), source, n: target }));
}
