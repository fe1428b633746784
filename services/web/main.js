// Which screen is shown? The address says; all links within the page change it without loading anything again.

import { ask, connection } from "./api.js";
import { h, render } from "./dom.js";
import { choice } from "./fields.js";
import { setWish, SPEEDS, wish } from "./own.js";
import { changeLanguage, language, LANGUAGES, speak, t } from "./text.js";

// Each screen's module has `open(place, params)`: it draws into the element, and answers with { close, redraw }.
const SCREENS = [
  [/^\/$/, () => import("./lobby.js"), "lobby"],
  [/^\/games\/(?<game>[0-9a-z]+)$/, () => import("./play.js"), "lobby"],
  [/^\/games\/(?<game>[0-9a-z]+)\/replay$/, () => import("./replay.js"), "lobby"],
  [/^\/arenas$/, () => import("./arenas.js"), "arenas"],
  [/^\/arenas\/(?<arena>[0-9a-z]+)$/, () => import("./arena.js"), "arenas"],
  [/^\/how-to-play$/, () => import("./how-to-play.js"), "howto"],
];

const place = document.querySelector("#page");
let screen = null, tab = "", showing = 0;

/** Go to an address of the page, such as `/games/07…`. With `replace` the browser's way back leaves out where it was. */
export function go(address, { replace = false } = {}) {
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  return show();
}

/** Change what the address says without showing another screen: for a link to what is seen now. */
export const note = (address) => history.replaceState(null, "", address);

async function show() {
  const mine = ++showing;
  const found = SCREENS.map(([form, load, name]) => [location.pathname.match(form), load, name]).find(([match]) => match);
  let module;
  try {
    module = await (found ? found[1]() : import("./lobby.js"));
  } catch {
    // Whatever the cause: files that are gone, a service that is away, or a browser that cannot read them.
    await ask("/healthz", { patience: Infinity }); // away? The page says so, and waits
    if (!history.state?.renewed) {
      history.replaceState({ renewed: true }, "");
      location.reload(); // the service has a newer page than this one
      return;
    }
  }
  if (mine !== showing) return;
  history.replaceState(null, "");
  screen?.close?.();
  for (const dialog of document.querySelectorAll("body > dialog")) dialog.close(); // a question of the screen that is left
  tab = found?.[2] ?? "lobby";
  frame();
  const main = document.querySelector("main");
  main.replaceChildren();
  document.title = t("common.title");
  scrollTo(0, 0);
  if (mine > 1) main.focus({ preventScroll: true }); // who hears the page, or uses keys, goes on at its beginning
  if (!module) {
    screen = { redraw: () => render(main, h("p", { role: "alert" }, t("common.broken"))) }; // and nothing is loaded again and again
    return screen.redraw();
  }
  screen = module.open(main, { ...found?.[0].groups, query: new URLSearchParams(location.search) });
}

// Around every screen: where one is, where one can go, how the page speaks and moves.
function frame() {
  const link = (address, name) =>
    h("a", { href: address, "aria-current": tab === name ? "page" : null }, t(`common.nav.${name}`));
  const header = h(
    "header",
    { class: "top" },
    h("a", { href: "#main", class: "skip", onclick: skip }, t("common.skip")),
    h("a", { href: "/", class: "brand" }, h("span", { "aria-hidden": "true" }, "♠"), t("common.title")),
    h("nav", { "aria-label": t("common.nav.label") }, link("/", "lobby"), link("/arenas", "arenas"), link("/how-to-play", "howto")),
    h(
      "details",
      { class: "wishes" },
      h("summary", { "aria-label": t("common.settings") }, h("span", { "aria-hidden": "true" }, "⚙")),
      h(
        "div",
        { class: "panel" },
        choice(t("common.language"), language, Object.entries(LANGUAGES), async (value) => {
          await changeLanguage(value);
          frame();
          screen?.redraw?.();
        }),
        choice(
          t("common.speed"),
          wish("speed"),
          Object.keys(SPEEDS).map((speed) => [speed, t(`common.speeds.${speed}`)]),
          (value) => setWish("speed", value),
        ),
      ),
    ),
  );
  const away = connection.reached ? null : h("p", { class: "away", role: "status" }, t("common.away"));
  render(place, header, away, h("main", { id: "main", tabindex: "-1", key: "main", keep: true }));
}

function skip(event) {
  event.preventDefault();
  document.querySelector("main").focus();
}

function follow(event) {
  const anchor = event.target.closest?.("a[href]");
  const own = anchor && anchor.origin === location.origin && !anchor.hasAttribute("download") && !anchor.target;
  if (!own || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (!SCREENS.some(([form]) => form.test(anchor.pathname))) return;
  event.preventDefault();
  go(anchor.pathname + anchor.search);
}

addEventListener("popstate", show);
document.addEventListener("click", follow);
connection.addEventListener("change", frame);
await speak();
show(); // not awaited: a screen that imports this module waits for it to be done
