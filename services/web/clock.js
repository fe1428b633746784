// How long has a turn still to go? The deadline is a moment of the service, so its clock is asked, not the browser's alone.

import { serviceNow } from "./api.js";
import { h } from "./dom.js";

/** So many seconds before the end of a turn it is time to hurry. */
export const HURRY = 10;

/** What counts down beside the seat whose turn it is; null where no clock runs. */
export const clock = () => h("span", { key: "clock", class: "clock", role: "timer", keep: true });

/** Set the countdown in `root` to what is left until the deadline; answers with the seconds, null where none is shown. */
export function tick(root, deadline) {
  const shown = root.querySelector(".clock");
  if (!shown || !deadline) return null;
  const left = Math.max(0, Math.ceil((Date.parse(deadline) - serviceNow()) / 1000));
  const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  if (shown.textContent !== text) shown.textContent = text;
  shown.toggleAttribute("data-hurry", left <= HURRY);
  return left;
}
