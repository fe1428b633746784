// What league does one want? Bots, games and rules; and, for two bots, a question that may end it early. The form remembers.

import { ask, Failure } from "./api.js";
import { h } from "./dom.js";
import { choice, line, tick } from "./fields.js";
import { withKey } from "./key.js";
import { go } from "./main.js";
import { setWish, wish } from "./own.js";
import { refusal } from "./refusal.js";
import { asked, knobFields, presetName } from "./rules.js";
import { t, textOr } from "./text.js";

const MOST_GAMES = 100_000, LONGEST_SEED = 200, MOST_ELO = 1000; // what the service takes

/**
 * The form for a new league. `sets` and `bots` are the service's; `redraw()` draws the screen again; `signal` ends what it waits
 * for. Its `draw()` answers with a description.
 */
export function newLeague({ sets, bots, redraw, signal }) {
  const wanted = { games: "200", changes: {}, tested: false, elo0: "0", elo1: "40", ...wish("league"), seed: "" };
  wanted.bots = (wanted.bots ?? bots.map((bot) => bot.name)).filter((name) => bots.some((bot) => bot.name === name));
  let busy = false, refused = null;

  const set = () => sets.find((one) => one.name === wanted.preset) ?? sets[0];
  const changes = () => wanted.changes[set().name] ?? {};
  const two = () => wanted.bots.length === 2;

  function change(what, value) {
    wanted[what] = value;
    refused = null;
    const { seed, ...remembered } = wanted;
    setWish("league", remembered);
    redraw();
  }

  async function begin(event) {
    event.preventDefault();
    if (busy) return;
    if (wanted.bots.length < 2) {
      refused = t("arena.form.tooFew");
      return redraw();
    }
    [busy, refused] = [true, null];
    redraw();
    const body = {
      bots: wanted.bots,
      games: Number(wanted.games),
      rules: asked(set(), changes()),
      ...(wanted.seed && { seed: wanted.seed }),
      ...(two() && wanted.tested && { sprt: { elo0: Number(wanted.elo0), elo1: Number(wanted.elo1) } }),
    };
    try {
      const { arena } = await withKey((headers) => ask("/v1/arenas", { body, headers, signal, patience: Infinity }));
      if (!signal.aborted) await go(`/arenas/${arena}`);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Failure)) throw error;
      busy = false;
      refused = refusal(error);
      redraw();
    }
  }

  function botField(bot) {
    const toggle = (checked) => {
      const chosen = checked ? [...wanted.bots, bot.name] : wanted.bots.filter((name) => name !== bot.name);
      change("bots", bots.map((one) => one.name).filter((name) => chosen.includes(name)));
    };
    const hint = textOr(`lobby.bots.${bot.name}`, bot.about);
    return tick(h("b", {}, bot.name), wanted.bots.includes(bot.name), toggle, { key: bot.name, hint });
  }

  const field = (name, props, hint) =>
    line(t(`arena.form.${name}`), wanted[name], props, (text) => change(name, text), { key: name, hint });

  const whole = (min, max) => ({ type: "number", inputmode: "numeric", required: true, min, max, step: 1 });

  function rules() {
    const options = sets.map((one) => [one.name, presetName(one.name)]);
    const then = (knob, value) => change("changes", { ...wanted.changes, [set().name]: { ...changes(), [knob]: value } });
    const preset = choice(t("arena.form.rules"), set().name, options, (name) => change("preset", name), { key: "preset" });
    return [preset, knobFields(set(), changes(), then)];
  }

  const seed = () => field("seed", { maxlength: LONGEST_SEED, autocomplete: "off" }, t("arena.form.seedWhy"));

  function test() {
    const tested = two() && wanted.tested, hint = t("arena.form.testedWhy");
    const elo = (name) => field(name, { type: "number", required: true, min: -MOST_ELO, max: MOST_ELO, step: "any" });
    return [
      tick(t("arena.form.tested"), tested, (checked) => change("tested", checked), { hint, disabled: !two() }),
      tested && h("p", { class: "soft" }, t("arena.form.question", { first: wanted.bots[0], second: wanted.bots[1] })),
      tested && h("div", { class: "pair" }, elo("elo0"), elo("elo1")),
    ];
  }

  const draw = () =>
    h(
      "form",
      { class: "panel league", onsubmit: begin, "aria-labelledby": "league" },
      h("h2", { id: "league" }, t("arena.form.title")),
      h("fieldset", {}, h("legend", {}, t("arena.form.bots")), bots.map(botField)),
      field("games", whole(1, MOST_GAMES), t("arena.form.gamesWhy")),
      rules(),
      h(
        "details",
        { class: "more" },
        h("summary", {}, t("arena.form.more")),
        h("div", { class: "fields" }, seed(), test()),
      ),
      refused && h("p", { class: "error", role: "alert" }, refused),
      h("button", { class: "main big", "aria-disabled": busy ? "true" : null }, t("arena.form.begin")),
    );
  return { draw };
}
