// How does the table stand, in words? All that the eye finds on it, and all that may be done, for whoever hears the page.

import { h } from "./dom.js";
import { centreLabel, handLabel, needLabel, payoffLabel, sideLabel } from "./labels.js";
import { parts, placesOf } from "./moves.js";
import { names } from "./news.js";
import { cardName, sentence, t, theCard } from "./text.js";

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
      view.piles.map((_, index) => h("li", {}, pileWords(view, index))),
      h("li", {}, t("table.places.stock", { n: view.stock }), "."),
      (rules.completed === "aside" || view.aside > 0) && h("li", {}, t("table.places.aside", { n: view.aside }), "."),
    ),
    order.map((seat) => [
      h("h3", {}, seat === mine ? t("table.you", { name: who[seat] }) : who[seat]),
      h("ul", {}, seatWords(view, seat, seat === mine).map((line) => h("li", {}, line))),
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

function pileWords(view, index) {
  const [name, top] = centreLabel(view, index), needs = view.needs[index];
  return `${name}: ${top}, ${needs === null ? t("table.words.full") : needLabel(needs)}.`;
}

/** Whose turn it is, in a sentence; "" before the deal. */
export function turnWords(view, who) {
  if (view.result) return t("table.over");
  if (!view.turn) return t("table.waits");
  return view.turn.seat === view.seat ? t("table.yourTurn") : t("table.turnOf", { who: who[view.turn.seat] });
}

function seatWords(view, seat, mine) {
  const { payoff, sides, hand, resigned } = view.seats[seat];
  const lines = [payoffLabel(payoff), handLabel(hand, mine ? view.hand : null), ...sides.map(sideLabel)];
  if (resigned) lines.push(t("table.places.resigned"));
  return lines.map((line) => sentence(`${line}.`));
}

// A move in words: "Seven of hearts from the hand to centre pile 2".
function moveWords(view, move) {
  const places = placesOf(view, move);
  if (places === null) return t("table.pass");
  const { card, from, to } = places, [, target, index] = parts(to);
  if (index !== null) return t("table.words.discard", { theCard: theCard(card), n: index + 1 });
  return sentence(t("table.words.play", { card: cardName(card), source: sourceWords(view, from), n: target + 1 }));
}

function sourceWords(view, place) {
  const [kind, seat, index] = parts(place);
  if (kind === "s") return t("news.from.side", { n: index + 1 });
  if (kind === "h") return t("news.from.hand");
  return seat === view.seat ? t("news.from.payoff") : t("news.from.partner", { owner: names(view)[seat] });
}
