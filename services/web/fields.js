// What does a field of a form look like? A label around what one fills in, and a hint below.

import { h } from "./dom.js";

/** A choice among `options`, `[value, text]` each; `then(value)` is told which, as a text. */
export function choice(label, value, options, then, { key, hint } = {}) {
  const given = options.map(([one, text]) => h("option", { value: String(one) }, text));
  const select = h("select", { value: String(value), onchange: (event) => then(event.target.value) }, given);
  return h("label", { key }, label, select, hint && soft(hint));
}

/** A box to tick; `then(checked)`. */
export function tick(label, checked, then, { key, hint, disabled = false } = {}) {
  const box = h("input", { type: "checkbox", checked, disabled, onchange: (event) => then(event.target.checked) });
  return h("label", { key, class: "check" }, box, h("span", {}, label, hint && soft(hint)));
}

/** A line to write; `props` go to the input, `then(text)`. */
export function line(label, value, props, then, { key, hint } = {}) {
  const input = h("input", { ...props, value, oninput: (event) => then(event.target.value) });
  return h("label", { key }, label, input, hint && soft(hint));
}

const soft = (text) => h("small", { class: "soft" }, text);
