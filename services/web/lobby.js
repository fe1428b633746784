// The lobby: to be built.
import { h, render } from "./dom.js";
import { t } from "./text.js";
export function open(place) {
  const redraw = () => render(place, h("h1", {}, t("common.title")));
  redraw();
  return { redraw };
}
