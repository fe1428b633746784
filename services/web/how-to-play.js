// How is it played? The rules of each written rule set in short, with an example: a page, and a dialog at the table.

import { empty, face } from "./cards.js";
import { h, render } from "./dom.js";
import { note } from "./main.js";
import { presetName, ruleSets, usual } from "./rules.js";
import { cardName, hasText, rankText, t } from "./text.js";

const SECTIONS = ["piles", "kings", "refill"];
const EXAMPLE = { piles: [["3h", 4], [null, 1], ["8s", 9]], payoff: "9h", hand: ["4c", "Ks", "Jd"] };

export function open(place, { query }) {
  let sets = [], chosen = query.get("rules"), closed = false;
  const redraw = () => {
    if (closed) return;
    const known = sets.map((set) => set.name).filter((name) => hasText(`howto.deal.${name}`));
    const preset = known.includes(chosen) ? chosen : usual(known);
    const choose = (name) => {
      chosen = name;
      note(`/how-to-play?rules=${name}`);
      redraw();
    };
    const tab = (name) => {
      const props = { key: name, "aria-pressed": String(name === preset), onclick: () => choose(name) };
      return h("button", props, presetName(name));
    };
    render(
      place,
      h(
        "article",
        { class: "panel howto" },
        h("h1", {}, t("howto.title")),
        h("div", { class: "tabs", role: "group", "aria-label": t("howto.which") }, known.map(tab)),
        preset && howTo(preset),
      ),
    );
  };
  ruleSets({ patience: Infinity }).then((found) => {
    sets = found;
    redraw();
  });
  return { redraw, close: () => (closed = true) };
}

/** The rules of a preset in short, as a description. */
export function howTo(preset) {
  const words = (name) => t(hasText(`howto.${name}.${preset}`) ? `howto.${name}.${preset}` : `howto.${name}.text`);
  const section = (name, ...inside) => h("section", { key: name }, h("h2", {}, t(`howto.${name}.title`)), inside);
  return h(
    "div",
    { class: "rules" },
    h("p", { class: "intro" }, t("howto.intro")),
    section("deal", h("p", {}, words("deal"))),
    section(
      "turn",
      h("ol", {}, h("li", {}, t("howto.turn.draw")), h("li", {}, words("turn.play")), h("li", {}, t("howto.turn.discard"))),
      h("p", {}, t("howto.turn.not")),
    ),
    SECTIONS.map((name) => section(name, h("p", {}, words(name)))),
    section("example", example(), h("p", {}, words("example"))),
    section("end", h("p", {}, t("howto.end.win")), h("p", {}, words("end"))),
  );
}

function example() {
  const { piles, payoff, hand } = EXAMPLE;
  const named = piles.map(([card]) => (card ? cardName(card) : t("howto.example.nothing")));
  const label = t("howto.example.what", { piles: named.join(", "), payoff: cardName(payoff), hand: hand.map(cardName).join(", ") });
  const under = (cards, text) => h("span", { class: "under" }, h("span", { class: "cards" }, cards), h("small", {}, text));
  return h(
    "div",
    { class: "example", role: "img", "aria-label": label },
    piles.map(([card, rank]) => under(card ? face(card) : empty(), t("howto.example.needs", { rank: rankText(rank) }))),
    under(face(payoff), t("howto.example.payoff")),
    under(hand.map((card) => face(card)), t("howto.example.hand")),
  );
}
