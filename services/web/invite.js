// How does one sit down at a table, and ask a friend to? A seat is taken open: what one adds comes after the sealed seed.

import { ask, Failure, randomHex } from "./api.js";
import { h, render } from "./dom.js";
import { line } from "./fields.js";
import { keep, setWish, wish } from "./own.js";
import { refusal } from "./refusal.js";
import { language, listOf, NAME, personName, t } from "./text.js";

const LINE = 128; // characters that the service takes of it

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

/** The fields for a name and for one's own line: `wanted` has both, `then(what, value)` is told of changes. */
export const nameField = (wanted, then) =>
  line(
    t("invite.name"),
    wanted.name,
    { maxlength: NAME, autocomplete: "nickname", placeholder: t("invite.guest") },
    (text) => then("name", text),
    { key: "name" },
  );

export const lineField = (wanted, then) =>
  line(
    t("invite.line"),
    wanted.entropy,
    { maxlength: LINE, autocomplete: "off", placeholder: t("invite.byLot") },
    (text) => then("entropy", text),
    { key: "entropy", hint: t("invite.why") },
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
        if (!(error instanceof Failure)) throw error;
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
          refused && h("p", { class: "error", role: "alert" }, why(refused)),
          h("button", { class: "main", "aria-disabled": busy ? "true" : null }, t("invite.sit")),
        ),
      );
    draw();
  }
}

const why = (refused) => (refused.code === "seat_taken" ? t("invite.taken") : refusal(refused));

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
    // Who thinks better of it ends the sharing as an error.
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
