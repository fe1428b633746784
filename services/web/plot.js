// How do values and their intervals look side by side? A dot and a line for each, on one scale. The figures themselves stand in
// a table elsewhere: the picture says its name, and what it says is not only there.

import { h } from "./dom.js";

const ROW = 32, AXIS = 24; // pixels

/**
 * A picture of `rows` `[{ name, value, low, high, told }]`, each of the three null where there is none yet, `told` the row in
 * words. `from` and `to` end the scale, `ticks` are marked on it, `middle` more strongly; `text(value)` writes one. `label` is the
 * name of the whole.
 */
export function plot({ label, rows, from, to, ticks, middle, text }) {
  const at = (value) => `${(100 * (Math.min(Math.max(value, from), to) - from)) / (to - from)}%`;
  const bottom = ROW * rows.length;
  return h(
    "figure",
    { class: "plot" },
    h("figcaption", {}, label),
    h("div", { class: "names", "aria-hidden": "true" }, rows.map((row) => h("span", { key: row.name }, row.name))),
    h(
      "svg",
      { role: "img", "aria-label": [label, ...rows.map((row) => row.told)].join(". "), width: "100%", height: bottom + AXIS },
      ticks.map((tick) => line(at(tick), 0, at(tick), bottom, tick === middle ? "middle" : "tick")),
      ticks.map((tick, index) => {
        const anchor = tick === from ? "start" : tick === to ? "end" : "middle";
        return h("text", { x: at(tick), y: bottom + 17, "text-anchor": anchor, class: index % 2 ? "odd" : null }, text(tick));
      }),
      rows.map((row, index) => mark(row, ROW * (index + 0.5), at)),
    ),
  );
}

function mark({ name, value, low, high, told }, y, at) {
  const ends = low === null ? [] : [low, high];
  return h(
    "g",
    { key: `row ${name}`, class: "row" },
    h("title", {}, told),
    ends.length && line(at(low), y, at(high), y, "interval"),
    ends.map((end) => line(at(end), y - 5, at(end), y + 5, "interval")),
    value !== null && h("circle", { cx: at(value), cy: y, r: 6 }),
  );
}

const line = (x1, y1, x2, y2, kind) => h("line", { x1, y1, x2, y2, class: kind });

/** A scale about zero that holds all of these values: `{ from, to, ticks, middle }`. */
export function scaleAboutZero(values) {
  const far = Math.max(1, ...values.map(Math.abs));
  const step = [10, 20, 50, 100, 200, 500, 1000, 2000].find((one) => 2 * one >= far) ?? 5000;
  return { from: -2 * step, to: 2 * step, ticks: [-2, -1, 0, 1, 2].map((times) => times * step), middle: 0 };
}
