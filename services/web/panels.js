// What stands around the table? How the game ended and what may be done then, who is waited for, and what asks once more.

import { ask, asSeat } from "./api.js";
import { h } from "./dom.js";
import { sit } from "./invite.js";
import { withKey } from "./key.js";
import { go } from "./main.js";
import { ending, names } from "./news.js";
import { kept } from "./own.js";
import { refusal } from "./refusal.js";
import { t } from "./text.js";

/** Instead of a game that cannot be shown. */
export const noGame = (problem) => [
  h("h1", {}, t("common.title")),
  h("p", { role: "alert" }, refusal(problem)),
  h("p", {}, h("a", { class: "button", href: "/" }, t("table.lobby"))),
];

/** The end of a game: who won, why, what now. `rematch()`, where it is given, begins the next; `busy` while it does. */
export function resultPanel(game, view, { rematch, busy }) {
  const [first, ...rest] = ending(view.result, names(view), view.seat);
  return h(
    "section",
    { key: "result", class: "panel result", "aria-labelledby": "result-title" },
    h("h2", { id: "result-title", tabindex: "-1" }, first),
    h("p", {}, rest.join(" ")),
    h(
      "div",
      { class: "row" },
      rematch &&
        h("button", { type: "button", class: "main", "aria-disabled": busy, onclick: () => busy || rematch() }, t("table.rematch")),
      h("a", { class: "button", href: `/games/${game}/replay` }, t("table.replay")),
      h("a", { class: "button", href: "/" }, t("table.lobby")),
    ),
  );
}

/**
 * The next game of the same people under the same rules: whoever asks for it, and however often, comes to the same one. Sits down
 * there as here, and goes there if `signal` has not ended it. Throws `Failure`.
 */
export async function playAgain(game, signal) {
  const mine = kept(game);
  const asked = (headers) => ask(`/v1/games/${game}/rematch`, { method: "POST", headers, signal });
  const next = await (mine.token ? asked(asSeat(game)) : withKey(asked));
  const open = (await ask(`/v1/games/${next.game}`, { signal })).seats.some((seat) => seat.kind === "open");
  if (mine.token && open && !kept(next.game).token) await sit(next.game, { name: mine.name ?? "", signal });
  if (!signal.aborted) await go(`/games/${next.game}`);
}

const modal = (dialog) => queueMicrotask(() => dialog.showModal()); // when it has its place in the document

/** A question that is asked once more before what cannot be taken back: `table.NAME` with its `Title` and `Text`. */
export function surely(name, then, close) {
  const done = (event, answer) => {
    event.target.closest("dialog").close();
    if (answer) then();
  };
  return h(
    "dialog",
    { key: "dialog", "aria-labelledby": "dialog-title", made: modal, onclose: close },
    h("h2", { id: "dialog-title" }, t(`table.${name}Title`)),
    h("p", {}, t(`table.${name}Text`)),
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", class: "main", onclick: (event) => done(event, true) }, t(`table.${name}`)),
      h("button", { type: "button", onclick: (event) => done(event, false) }, t("common.cancel")),
    ),
  );
}

/** A text that is read over the table. */
export function reading({ title, inside, close }) {
  return h(
    "dialog",
    { key: "dialog", "aria-labelledby": "dialog-title", made: modal, onclose: close },
    h("h2", { id: "dialog-title", tabindex: "-1", autofocus: true }, title),
    h("div", { class: "reading" }, inside),
    h("button", { type: "button", class: "main", onclick: (event) => event.target.closest("dialog").close() }, t("common.close")),
  );
}
