// Which rule sets are there, what may be changed in them, and how are rules told in words? All of it as the service says.

import { ask } from "./api.js";
import { h } from "./dom.js";
import { choice, tick } from "./fields.js";
import { wish } from "./own.js";
import { language, number, t, textOr } from "./text.js";

// What is played where the language is.
const HOME = { it: "gatto-e-topo", pt: "gato-e-rato", es: "spite-and-malice", en: "spite-and-malice" };
let sets = null;

/** The presets: `[{ name, about, rules, changes }]`. Asked for once. */
export const ruleSets = async (options) => (sets ??= (await ask("/v1/rules", options)).presets);

/** The name of a preset as people read it. */
export const presetName = (name) => textOr(`rules.presets.${name}.name`, name);

/** What a request asks for: the preset, with those of the changes that it takes and that are none of its own values. */
export function asked(set, changes = {}) {
  const taken = Object.entries(changes).filter(([knob, value]) => set.changes[knob]?.includes(value) && value !== set.rules[knob]);
  return taken.length ? { preset: set.name, ...Object.fromEntries(taken) } : set.name;
}

/** Which of these presets to begin with: the one played last, or the one of the language. */
export const usual = (names) => [wish("game").preset, HOME[language], names[0]].find((name) => names.includes(name));

/** Which preset rules with every knob come from: `{ name, changed }`, its knobs of other values; the name is null for none. */
export function origin(rules) {
  for (const { name, rules: own, changes } of sets ?? []) {
    const written = { ...own, decks: rules.seats }; // each seat brings its pack: nobody asks for it
    const changed = Object.keys(own).filter((knob) => written[knob] !== rules[knob]);
    if (changed.every((knob) => changes[knob]?.includes(rules[knob]))) return { name, changed };
  }
  return { name: null, changed: [] };
}

/** Rules in words, given by name or by every knob: the preset that they come from, and what is changed in it. */
export function rulesName(rules) {
  if (typeof rules === "string") return presetName(rules);
  const { name, changed } = origin(rules);
  return name ? [presetName(name), ...changed.map((knob) => knobText(knob, rules[knob]))].join(", ") : t("rules.own");
}

/** Rules that come from no preset, in words: every knob that is set. */
export function ownRules(rules) {
  const set = Object.keys(rules).filter((knob) => rules[knob] !== null);
  return h("ul", {}, set.map((knob) => h("li", {}, knobText(knob, rules[knob]))));
}

/** A knob and its value in words: "payoff: 10". */
export const knobText = (knob, value) => t("rules.knob", { knob: knobName(knob), value: valueText(knob, value) });

const knobName = (knob) => textOr(`rules.knobs.${knob}.name`, knob);
const ofAny = (value) => (typeof value === "number" ? number(value) : textOr(`rules.values.${value}`, String(value)));
const valueText = (knob, value) => textOr(`rules.knobs.${knob}.${value}`, ofAny(value));

/** A field for each change that the preset takes; `then(knob, value)` is told what is chosen. */
export function knobFields(set, changes, then) {
  return Object.entries(set.changes).map(([knob, values]) => {
    const value = values.includes(changes[knob]) ? changes[knob] : set.rules[knob];
    const hint = textOr(`rules.knobs.${knob}.hint`, null);
    if (values.every((one) => typeof one === "boolean")) {
      return tick(knobName(knob), value, (checked) => then(knob, checked), { key: knob, hint });
    }
    const taken = values.filter((one) => one !== null), options = taken.map((one, index) => [index, valueText(knob, one)]);
    const chosen = Math.max(0, taken.indexOf(value));
    return choice(knobName(knob), chosen, options, (index) => then(knob, taken[index]), { key: knob, hint });
  });
}
