// What does a table look like? One function from a view to a description: all piles with their counts, and what is marked.
//
// It knows nothing of play, feed or replay. Every place bears its name in `data-place`: c0 a centre pile, stock, aside, p0 a
// payoff, s0.1 a side stack of seat 0, h0.3 a card of a hand, h0 the hand itself.

import { back, cardText, empty, face } from "./cards.js";
import { h } from "./dom.js";
import { centreLabel, handLabel, needLabel, payoffLabel, sideLabel } from "./labels.js";
import { aRank, cardName, rankOf, rankText, t } from "./text.js";

const FANNED = 4; // so many cards of a side stack are seen in full width; those below are pushed together

/**
 * The table of a view. `options`: `me`, the seat at the bottom; `name(seat)`; `choose(place)`, where places are to be chosen;
 * `mark(place)` ("chosen", "target", "movable" or ""); `say(place)`, further words for its name; `beside(seat)`, what stands by a
 * seat's name; `cards`, the open cards of an ended game; `busy`, while nothing can be chosen.
 */
export function table(view, options) {
  const asked = { mark: () => "", say: () => "", beside: () => null, ...options };
  const { me } = asked, count = view.seats.length;
  const others = Array.from({ length: count - 1 }, (_, n) => (me + 1 + n) % count);
  return h(
    "div",
    { class: "table", "data-turn": view.turn?.seat ?? "", "data-version": view.version },
    h("div", { class: others.length > 2 ? "others many" : "others" }, others.map((seat) => other(view, seat, asked))),
    middle(view, asked),
    mine(view, me, asked),
  );
}

function other(view, seat, asked) {
  return h(
    "section",
    { key: `seat${seat}`, class: seatClass(view, seat), "aria-label": asked.name(seat) },
    head(view, seat, asked),
    h("div", { class: "places" }, payoff(view, seat, asked), hiddenHand(view, seat, asked), sides(view, seat, asked)),
  );
}

function mine(view, seat, asked) {
  const cards = asked.cards ? asked.cards.hands[seat] : view.seat === seat ? view.hand : null;
  return h(
    "section",
    { key: `seat${seat}`, class: `${seatClass(view, seat)} mine`, "aria-label": asked.name(seat) },
    h("div", { class: "places" }, payoff(view, seat, asked), sides(view, seat, asked)),
    cards === null ? h("div", { class: "hand" }, hiddenHand(view, seat, asked)) : hand(view, seat, cards, asked),
    head(view, seat, asked),
  );
}

const seatClass = (view, seat) =>
  ["seat", view.turn?.seat === seat && view.status === "playing" && "turn", view.seats[seat].resigned && "resigned"]
    .filter(Boolean)
    .join(" ");

function head(view, seat, asked) {
  return h(
    "h2",
    { class: "who" },
    h("span", { class: "name" }, asked.name(seat)),
    view.seats[seat].resigned ? h("span", { class: "tag" }, t("table.places.resigned")) : null,
    asked.beside(seat),
  );
}

function middle(view, asked) {
  const aside = view.rules.completed === "aside" || view.aside > 0;
  const next = asked.cards?.stock.at(-1);
  return h(
    "section",
    { class: "middle", "aria-label": t("table.places.middle") },
    place("stock", asked, {
      label: t("table.places.stock", { n: view.stock }),
      class: depth(view.stock, 12),
      inside: [view.stock ? (next ? face(next) : back()) : empty(), badge(view.stock)],
      below: t("table.places.stockShort"),
    }),
    view.piles.map((pile, index) => centre(view, pile, index, asked)),
    aside &&
      place("aside", asked, {
        label: t("table.places.aside", { n: view.aside }),
        class: depth(view.aside, 12),
        inside: [view.aside ? back() : empty(), badge(view.aside)],
        below: t("table.places.asideShort"),
      }),
  );
}

function centre(view, pile, index, asked) {
  const top = pile.at(-1), needs = view.needs[index];
  const wild = top !== undefined && rankOf(top) !== pile.length; // a card's rank in a pile is its height
  const standing = wild && t("table.places.wildAs", { aRank: aRank(pile.length) });
  return place(`c${index}`, asked, {
    label: [...centreLabel(view, index), standing, needs !== null && needLabel(needs)].filter(Boolean).join(", "),
    chooses: true,
    class: depth(pile.length, 3),
    inside: [
      top === undefined ? empty() : face(top, { key: `${pile.length}${top}` }),
      wild && h("span", { class: "wild-as", "aria-hidden": "true" }, "=", rankText(pile.length)),
      top === undefined && needs !== null && h("span", { class: "wanted", "aria-hidden": "true" }, rankText(needs)),
      pile.length > 0 && badge(pile.length),
    ],
    below: needs === null ? "" : t("table.places.needsShort", { rank: rankText(needs) }),
  });
}

function payoff(view, seat, asked) {
  const pile = view.seats[seat].payoff, { top, left } = pile;
  const below = asked.cards?.payoffs[seat].slice(0, -1).reverse();
  return place(`p${seat}`, asked, {
    label: payoffLabel(pile, view.seat === seat),
    chooses: seat === asked.me || view.legal.some((move) => move.startsWith(`p@${seat}>`)),
    class: `payoff ${depth(left, 5)}`,
    inside: [top !== null ? face(top, { key: `${left}${top}` }) : left ? back() : empty(), badge(left)],
    below: t("table.places.payoffShort"),
    title: below?.length ? below.map(cardText).join(" ") : null,
  });
}

function sides(view, seat, asked) {
  const stacks = view.seats[seat].sides;
  return h(
    "div",
    { class: "sides", role: "group", "aria-label": t("table.places.sides") },
    stacks.map((stack, index) =>
      place(`s${seat}.${index}`, asked, {
        label: sideLabel(stack, index),
        chooses: seat === asked.me,
        class: "side",
        title: stack.length > FANNED ? stack.toReversed().map(cardText).join(" ") : null,
        inside: [fan(stack), stack.length > 1 && badge(stack.length)],
      }),
    ),
  );
}

// The last cards lie open one over the other; what is deeper is pushed together, so that a stack never grows beyond its place.
function fan(stack) {
  if (stack.length === 0) return empty();
  const deep = Math.max(0, stack.length - FANNED);
  return stack.map((card, index) => {
    const above = index < deep ? (index / deep) * 0.12 : (deep && 0.12) + (index - deep) * 0.3;
    return face(card, { key: `${index}${card}`, style: { "--above": above.toFixed(3) } });
  });
}

function hiddenHand(view, seat, asked) {
  const count = view.seats[seat].hand, cards = asked.cards?.hands[seat];
  const shown = cards
    ? cards.map((card, index) => face(card, { key: index }))
    : Array.from({ length: count }, (_, key) => back({ key }));
  return place(`h${seat}`, asked, {
    label: handLabel(count, cards),
    class: cards ? "others-hand open" : "others-hand",
    inside: [shown.length ? h("span", { class: "spread", style: { "--count": count } }, shown) : empty(), badge(count)],
  });
}

function hand(view, seat, cards, asked) {
  return h(
    "div",
    { class: "hand", role: "group", "aria-label": t("table.places.hand", { n: cards.length }), "data-place": `h${seat}` },
    cards.map((card, index) =>
      place(`h${seat}.${index}`, asked, {
        key: `h${index}`,
        label: cardName(card),
        chooses: true,
        class: "held",
        inside: [face(card)],
      }),
    ),
    cards.length === 0 && h("span", { class: "no-cards" }, t("table.places.emptyHand")),
  );
}

const badge = (count) => h("span", { class: "badge", "aria-hidden": "true" }, String(count));

// How thick a pile looks: a class for each third of what would be a thick one.
const depth = (count, each) => `depth${Math.min(3, Math.ceil(count / each))}`;

// A place: a button where it may be chosen, else a picture with a name.
function place(name, asked, options) {
  const { key = name, label, inside, below, chooses = false, class: more = "", title = null } = options;
  const mark = asked.mark(name), further = asked.say(name);
  const button = chooses && asked.choose;
  const props = {
    key,
    class: `place ${more} ${mark}`,
    "data-place": name,
    "aria-label": further ? `${label}. ${further}` : label,
    title,
    ...(button
      ? {
          type: "button",
          "aria-pressed": mark === "chosen" ? "true" : null,
          "aria-disabled": asked.busy ? "true" : null,
          onclick: () => asked.choose(name),
        }
      : { role: "img" }),
  };
  const under = below !== undefined && h("span", { class: "below", "aria-hidden": "true" }, below);
  return h(button ? "button" : "span", props, h("span", { class: "stack" }, inside), under);
}
