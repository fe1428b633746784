// How does one sit down at a table, and ask a friend to? A seat is taken open: what one adds comes after the sealed seed.

import { Away, ask, Problem, randomHex } from "./api.js";
import { h, render } from "./dom.js";
import { keep, setWish, wish } from "./own.js";
import { language, listOf, personName, t } from "./text.js";

const NAME = 40, LINE = 128; // characters that the service takes

/**
 * Take an open seat: the commitment is seen and kept first, then the line goes in, so that nobody could choose the deal. The line
 * is drawn by lot where none is given. Waits as long as the service is away. Throws `Problem`.
 */
export async function sit(game, { name, entropy, signal }) {
  const waiting = { signal, patience: Infinity };
  const { commitment } = await ask(`/v1/games/${game}`, waiting);
  const body = { name: name.trim() || t("invite.guest"), entropy: entropy || randomHex(16) };
  const { seat, token } = await ask(`/v1/games/${game}/seats`, { body, ...waiting });
  keep(game, { token, seat, commitment, ...body });
  return seat;
}

/** What could not be done, in words. */
export function trouble(error) {
  if (!(error instanceof Problem)) return t("common.away");
  return error.code === "seat_taken" ? t("invite.taken") : t("invite.refused", { detail: error.message });
}

/** The fields for a name and for one's own line: `wanted` has both, `then(what, value)` is told of changes. */
export const nameField = (wanted, then) =>
  h(
    "label",
    { key: "name" },
    t("invite.name"),
    h("input", {
      value: wanted.name,
      maxlength: NAME,
      autocomplete: "nickname",
      placeholder: t("invite.guest"),
      oninput: (event) => then("name", event.target.value),
    }),
  );

export const lineField = (wanted, then) =>
  h(
    "label",
    { key: "entropy" },
    t("invite.line"),
    h("input", {
      value: wanted.entropy,
      maxlength: LINE,
      autocomplete: "off",
      placeholder: t("invite.byLot"),
      oninput: (event) => then("entropy", event.target.value),
    }),
    h("small", { class: "soft" }, t("invite.why")),
  );

/** For whoever comes to a game with an open seat and holds none: a panel that draws itself. `then(seat)` once one sits. */
export function joinPanel(game, view, then) {
  const seated = view.seats.filter((seat) => seat.kind !== "open").map((seat) => personName(seat.name));
  return h("section", { key: `join-${language}`, class: "panel join", "aria-labelledby": "join", keep: true, made: mount });

  function mount(place) {
    const wanted = { name: wish("name"), entropy: "" };
    let busy = false, refused = null;
    const change = (what, value) => (wanted[what] = value);
    const join = async (event) => {
      event.preventDefault();
      if (busy) return;
      busy = true;
      refused = null;
      draw();
      setWish("name", wanted.name.trim());
      try {
        const seat = await sit(game, wanted);
        if (place.isConnected) then(seat);
      } catch (error) {
        if (!(error instanceof Problem || error instanceof Away)) throw error;
        busy = false;
        refused = error;
        draw();
      }
    };
    const draw = () =>
      render(
        place,
        h("h2", { id: "join" }, t("invite.title")),
        h("p", {}, seated.length ? t("invite.seated", { n: seated.length, names: listOf(seated) }) : t("invite.nobody")),
        h(
          "form",
          { class: "fields", onsubmit: join },
          nameField(wanted, change),
          h("details", {}, h("summary", {}, t("invite.more")), lineField(wanted, change)),
          refused && h("p", { class: "error", role: "alert" }, trouble(refused)),
          h("button", { class: "main", "aria-disabled": busy ? "true" : null }, t("invite.sit")),
        ),
      );
    draw();
  }
}

/** For whoever waits: the address that a friend opens, to copy or to send on. It draws itself. */
export function inviteLink(game) {
  return h("section", { key: `invite-${language}`, class: "panel invite", "aria-labelledby": "invite", keep: true, made: mount });

  function mount(place) {
    const address = `${location.origin}/games/${game}`;
    let copied = false;
    const copy = async () => {
      place.querySelector("input").select();
      copied = await navigator.clipboard?.writeText(address).then(() => true, () => false);
      copied ||= document.execCommand("copy"); // where no clipboard is given: on http, say
      draw();
    };
    const share = () => navigator.share({ title: t("common.title"), text: t("invite.text"), url: address }).catch(() => {});
    const draw = () =>
      render(
        place,
        h("h2", { id: "invite" }, t("invite.waiting")),
        h("p", {}, t("invite.how")),
        h("label", {}, t("invite.link"), h("input", { value: address, readonly: true, onfocus: (event) => event.target.select() })),
        h(
          "div",
          { class: "row" },
          h("button", { type: "button", class: "main", onclick: copy }, t("common.copy")),
          navigator.share && h("button", { type: "button", onclick: share }, t("invite.share")),
          h("span", { role: "status" }, copied ? t("common.copied") : ""),
        ),
      );
    draw();
  }
}
