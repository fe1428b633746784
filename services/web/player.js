// How does one go forth and back in a game? A slider over its versions, buttons for steps and turns, a speed, and whose eyes.

import { h } from "./dom.js";
import { choice } from "./fields.js";
import { number, t } from "./text.js";

const SPEEDS = [0.5, 1, 2, 4, 8];
const LEFT = "M15 5 7 12l8 7z", RIGHT = "M9 5l8 7-8 7z";
const ICONS = {
  first: `M5 5h2.5v14H5z M19 5 9.5 12l9.5 7z`,
  previousTurn: "M12 5 4 12l8 7z M20 5l-8 7 8 7z",
  previous: LEFT,
  play: "M7 4l13 8-13 8z",
  pause: "M6 4h4.5v16H6z M13.5 4H18v16h-4.5z",
  next: RIGHT,
  nextTurn: "M4 5l8 7-8 7z M12 5l8 7-8 7z",
  last: "M16.5 5H19v14h-2.5z M5 5l9.5 7L5 19z",
};

/** The controls: `at` of `last` versions, `words` for it, `playing`. `act` has a function for each button, and `to(version)`. */
export function player({ at, last, playing, words }, act) {
  const button = (name, shown = name) => {
    const label = t(`replay.steps.${shown}`), look = name === "play" ? "main" : null;
    return h(
      "button",
      { type: "button", key: name, class: look, "aria-label": label, title: label, onclick: act[name] },
      h("svg", { viewBox: "0 0 24 24", width: "22", height: "22", "aria-hidden": "true" }, h("path", { d: ICONS[shown] })),
    );
  };
  const what = { role: "group", "aria-label": t("replay.controls"), title: t("replay.keys") };
  return h(
    "div",
    { key: "player", class: "player panel", ...what },
    h(
      "div",
      { class: "slide" },
      h("input", {
        type: "range",
        min: 1,
        max: last,
        step: 1,
        value: String(at),
        "aria-label": t("replay.version"),
        "aria-valuetext": t("replay.at", { at, last, what: words }),
        oninput: (event) => act.to(Number(event.target.value)),
      }),
      h("output", { class: "number" }, t("replay.of", { at: number(at), last: number(last) })),
    ),
    h(
      "div",
      { class: "steps" },
      button("first"),
      button("previousTurn"),
      button("previous"),
      button("play", playing ? "pause" : "play"),
      button("next"),
      button("nextTurn"),
      button("last"),
    ),
  );
}

/**
 * What is chosen beside them: `eyes` ("" a spectator's, "all", or a seat of `who`), `covered` where only a spectator may look, and
 * `speed`, a factor. `act` has `eyes(eyes)` and `speed(factor)`.
 */
export function choices({ eyes, who, covered, speed }, act) {
  const all = [["", t("replay.spectator")], ...who.map((name, seat) => [seat, name]), ["all", t("replay.all")]];
  const speeds = SPEEDS.map((one) => [one, `${number(one)}×`]);
  return h(
    "div",
    { key: "choices", class: "choices" },
    choice(t("replay.eyes"), eyes, covered ? all.slice(0, 1) : all, act.eyes),
    choice(t("replay.speed"), speed, speeds, (value) => act.speed(Number(value))),
  );
}
