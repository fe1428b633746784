// How does one play on from a version of an ended game? A dialog that asks who sits where; then the new game is gone to.

import { ask, Failure } from "./api.js";
import { h, render } from "./dom.js";
import { choice } from "./fields.js";
import { nameField } from "./invite.js";
import { withKey } from "./key.js";
import { go } from "./main.js";
import { keep, setWish, wish } from "./own.js";
import { refusal } from "./refusal.js";
import { t } from "./text.js";

const ME = "";

/** Ask who sits where, and go on from version `at`. `who` are the names of the seats, `me` the seat proposed for oneself. */
export async function playOn(game, { at, who, me }) {
  const { bots } = await ask("/v1/bots");
  const usual = (bots.find((bot) => bot.name === "greedy") ?? bots[0]).name;
  const sitting = who.map((_, seat) => (seat === me ? ME : usual));
  const dialog = document.createElement("dialog");
  const wanted = { name: wish("name") };
  let busy = false, refused = null;

  // One browser holds one seat of a game: who takes another one leaves the first to a bot.
  function sit(seat, value) {
    const before = sitting.indexOf(ME);
    if (value === ME && before >= 0) sitting[before] = usual;
    sitting[seat] = value;
    draw();
  }

  async function begin(event) {
    event.preventDefault();
    if (busy) return;
    busy = true;
    draw();
    const seats = sitting.map((bot) => (bot === ME ? { name: wanted.name.trim() || t("invite.guest") } : { bot }));
    try {
      const made = await withKey((headers) => ask(`/v1/games/${game}/fork`, { body: { at, seats }, headers }));
      for (const own of made.seats) {
        const { commitment } = await ask(`/v1/games/${made.game}`);
        keep(made.game, { token: own.token, seat: own.seat, name: own.name, commitment });
        setWish("name", wanted.name.trim());
      }
      if (!dialog.open) return; // it was closed meanwhile, or the screen was left
      dialog.close();
      await go(`/games/${made.game}`);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      busy = false;
      refused = error;
      draw();
    }
  }

  const chair = (one, seat) =>
    choice(
      t("replay.fork.seat", { who: one }),
      sitting[seat],
      [[ME, t("replay.fork.me")], ...bots.map((bot) => [bot.name, bot.name])],
      (value) => sit(seat, value),
      { key: `seat${seat}` },
    );

  function draw() {
    const form = h(
      "form",
      { class: "fork", onsubmit: begin },
      h("h2", { id: "fork-title" }, t("replay.fork.title", { at })),
      h("p", {}, t("replay.fork.what")),
      who.map(chair),
      sitting.includes(ME) && nameField(wanted, (_, name) => (wanted.name = name)),
      h("p", { key: "refused", class: "error", role: "alert" }, refused && refusal(refused)),
      h(
        "div",
        { key: "end", class: "row" },
        h("button", { type: "submit", class: "main", "aria-disabled": busy ? "true" : null }, t("replay.fork.go")),
        h("button", { type: "button", onclick: () => dialog.close() }, t("common.cancel")),
      ),
    );
    render(dialog, form);
  }

  dialog.setAttribute("aria-labelledby", "fork-title");
  dialog.onclose = () => dialog.remove();
  document.body.append(dialog);
  draw();
  dialog.showModal();
}
