// What game does one want? A form that remembers: one click plays what was chosen last.

import { ask, Failure } from "./api.js";
import { h } from "./dom.js";
import { choice, tick } from "./fields.js";
import { lineField, nameField, sit } from "./invite.js";
import { withKey } from "./key.js";
import { go } from "./main.js";
import { newMatch } from "./match.js";
import { setWish, wish } from "./own.js";
import { refusal } from "./refusal.js";
import { asked, knobFields, knobText, presetName, usual } from "./rules.js";
import { duration, listOf, NAME, sentence, t, textOr } from "./text.js";

const CLOCKS = [30, 60, 120, 300]; // seconds a turn
const ME = "me", FRIEND = "friend";
const FIRST = { changes: {}, others: {}, match: false, seconds: 0, onExpiry: "auto", listed: null };

/**
 * The form for a new game. `sets` and `bots` are the service's; `redraw()` draws the screen again; `signal` ends what it waits for.
 * Its `draw()` answers with a description.
 */
export function newGame({ sets, bots, redraw, signal }) {
  const wanted = { ...FIRST, ...wish("game"), name: wish("name"), entropy: "" };
  let busy = false, refused = null;

  const preset = () => usual(sets.map((one) => one.name));
  const set = () => sets.find((one) => one.name === preset());
  const changes = () => wanted.changes[set().name] ?? {};
  const seats = () => asked(set(), changes()).seats ?? set().rules.seats;
  const known = (who) => who === FRIEND || bots.some((bot) => bot.name === who);
  const opponent = () => [wanted.opponent, "greedy", bots[0]?.name].find(known) ?? FRIEND;
  const others = () => Array.from({ length: seats() }, (_, seat) => sitting(seat));
  const against = () => [...new Set(others().slice(1))];
  const listed = () => wanted.listed ?? !others().includes(FRIEND);

  function sitting(seat) {
    const given = wanted.others[seat];
    if (seat === 0) return given !== FRIEND && known(given) ? given : ME;
    return known(given) ? given : opponent();
  }

  function change(what, value) {
    Object.assign(wanted, what === "opponent" ? { opponent: value, others: {}, listed: null } : { [what]: value });
    refused = null;
    const { name, entropy, ...remembered } = wanted;
    setWish("game", remembered);
    setWish("name", name.trim());
    redraw();
  }

  async function play(event) {
    event.preventDefault();
    if (busy) return;
    busy = true;
    refused = null;
    redraw();
    const who = others();
    const body = {
      rules: asked(set(), changes()),
      seats: who.map((one, seat) => (one === ME || one === FRIEND ? { open: true } : { bot: one, name: botName(one, seat, who) })),
      visibility: listed() ? "public" : "unlisted",
      ...(wanted.seconds && { clock: { turn_seconds: wanted.seconds, on_expiry: wanted.onExpiry } }),
    };
    try {
      const game = await withKey((headers) => begun(body, { headers, signal, patience: Infinity }));
      if (who[0] === ME) await sit(game, { name: wanted.name, entropy: wanted.entropy, signal });
      if (!signal.aborted) await go(`/games/${game}`);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Failure)) throw error;
      busy = false;
      refused = error;
      redraw();
    }
  }

  const points = () => wanted.match && set().rules.match;
  const begun = async (body, options) => (points() ? newMatch(body, options) : (await ask("/v1/games", { body, ...options })).game);

  const whoText = (who) => (who === ME || who === FRIEND ? t(`lobby.who.${who}`) : sentence(who));

  function summary() {
    const who = listOf(against().map(whoText));
    const said = Object.entries(asked(set(), changes())).filter(([knob]) => knob in set().changes);
    const words = [
      presetName(set().name),
      others()[0] === ME ? t("lobby.against", { who }) : t("lobby.botsOnly", { first: whoText(others()[0]), who }),
      ...said.map(([knob, value]) => knobText(knob, value)),
      points() && t("match.whole", { n: points() }),
      wanted.seconds && t("lobby.perTurn", { time: duration(wanted.seconds) }),
    ];
    return words.filter(Boolean).join(" · ");
  }

  function radio(group, value, checked, title, about) {
    const input = h("input", { type: "radio", name: group, value, checked, onchange: () => change(group, value) });
    return h("label", { key: value, class: "option" }, input, h("span", {}, h("b", {}, title), h("small", {}, about)));
  }

  const rulesRadio = ({ name, about }) =>
    radio("preset", name, name === preset(), presetName(name), textOr(`rules.presets.${name}.about`, about));
  const opponentRadio = (who, about) => radio("opponent", who, String(against()) === who, sentence(whoText(who)), about);

  function seatFields() {
    const people = bots.map((bot) => [bot.name, sentence(bot.name)]);
    return others().map((who, seat) => {
      const first = seat === 0 ? [[ME, sentence(whoText(ME))]] : [[FRIEND, sentence(whoText(FRIEND))]];
      const then = (value) => change("others", { ...wanted.others, [seat]: value });
      return choice(t("lobby.seat", { n: seat + 1 }), who, [...first, ...people], then);
    });
  }

  function more() {
    const knobs = knobFields(set(), changes(), (knob, value) =>
      change("changes", { ...wanted.changes, [set().name]: { ...changes(), [knob]: value } }),
    );
    const lengths = [["", t("match.one")], ["match", t("match.whole", { n: set().rules.match })]];
    const length = (value) => change("match", value !== "");
    if (set().rules.match) knobs.push(choice(t("match.choice"), wanted.match ? "match" : "", lengths, length));
    const clocks = [[0, t("lobby.clock.none")], ...CLOCKS.map((seconds) => [seconds, duration(seconds)])];
    const expiries = ["auto", "forfeit"].map((one) => [one, t(`lobby.clock.${one}`)]);
    return h(
      "details",
      { class: "more" },
      h("summary", {}, t("lobby.more")),
      h(
        "div",
        { class: "fields" },
        h("fieldset", {}, h("legend", {}, t("lobby.variations")), knobs.length ? knobs : t("lobby.asWritten")),
        h("fieldset", {}, h("legend", {}, t("lobby.seats")), seatFields()),
        h(
          "fieldset",
          {},
          h("legend", {}, t("lobby.clock.title")),
          choice(t("lobby.clock.turn"), wanted.seconds, clocks, (value) => change("seconds", Number(value))),
          wanted.seconds > 0 && choice(t("lobby.clock.expiry"), wanted.onExpiry, expiries, (value) => change("onExpiry", value)),
        ),
        tick(t("lobby.listed"), listed(), (value) => change("listed", value), { hint: t("lobby.listedWhy") }),
        lineField(wanted, change),
      ),
    );
  }

  const draw = () =>
    h(
      "form",
      { class: "panel new-game", onsubmit: play, "aria-labelledby": "play" },
      h("h2", { id: "play", class: "heard" }, t("lobby.newGame")),
      h(
        "div",
        { class: "start" },
        h("button", { class: "main big", "aria-describedby": "summary", "aria-disabled": busy ? "true" : null }, t("lobby.play")),
        h("p", { id: "summary" }, summary()),
        refused && h("p", { class: "error", role: "alert" }, refusal(refused)),
      ),
      h(
        "fieldset",
        {},
        h("legend", {}, t("lobby.rules")),
        sets.map((one) => rulesRadio(one)),
      ),
      h(
        "fieldset",
        {},
        h("legend", {}, t("lobby.opponent")),
        bots.map((bot) => opponentRadio(bot.name, textOr(`lobby.bots.${bot.name}`, bot.about))),
        opponentRadio(FRIEND, t("lobby.friendWhy")),
      ),
      nameField(wanted, change),
      more(),
    );
  return { draw };
}

// Two of one kind at a table are told apart by their seats.
function botName(bot, seat, who) {
  const alone = who.filter((one) => one === bot).length === 1;
  return (alone ? sentence(bot) : `${sentence(bot)} ${seat + 1}`).slice(0, NAME);
}
