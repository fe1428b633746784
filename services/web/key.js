// Who may begin games here? On some services only who holds an API key: then the page asks for it, once, and keeps it.

import { asCreator, Problem } from "./api.js";
import { h, render } from "./dom.js";
import { setWish, wish } from "./own.js";
import { t } from "./text.js";

/**
 * What `then(headers)` answers, a request that only a creator may make:
 * `withKey((headers) => ask("/v1/games", { body, headers }))`. Where the service wants a key, or another one, the person is
 * asked and `then` is called again. Throws the service's `Problem` for one who has none, and whatever else `then` throws.
 */
export async function withKey(then) {
  for (;;) {
    try {
      return await then(asCreator());
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== "bad_token") throw error;
      const key = await asked(wish("key"));
      if (!key) throw error;
      setWish("key", key);
    }
  }
}

// The key that the person gives, or "": `refused` is one that the service does not know.
function asked(refused) {
  const dialog = document.createElement("dialog");
  const done = (event) => {
    event.preventDefault();
    dialog.close(dialog.querySelector("input").value.trim());
  };
  dialog.setAttribute("aria-labelledby", "key-title");
  document.body.append(dialog);
  render(
    dialog,
    h(
      "form",
      { onsubmit: done },
      h("h2", { id: "key-title" }, t("key.title")),
      h("p", {}, t("key.why")),
      refused && h("p", { class: "error", role: "alert" }, t("key.refused")),
      h("label", {}, t("key.label"), h("input", { type: "password", autocomplete: "off", required: true })),
      h(
        "div",
        { class: "row" },
        h("button", { type: "submit", class: "main" }, t("key.use")),
        h("button", { type: "button", onclick: () => dialog.close("") }, t("common.cancel")),
      ),
    ),
  );
  dialog.showModal();
  return new Promise((answer) => {
    dialog.onclose = () => {
      dialog.remove();
      answer(dialog.returnValue);
    };
  });
}
