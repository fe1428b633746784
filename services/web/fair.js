// Can one trust the deal? A panel that shows the seal from the start and, once the game is over, checks all of it in the browser.

import { Away, ask, Problem } from "./api.js";
import { h, render } from "./dom.js";
import { refusal } from "./news.js";
import { kept } from "./own.js";
import { canCheck } from "./shuffle.js";
import { language, personName, t } from "./text.js";
import { verifyLog } from "./verify.js";

// What this tab has seen and found, by game: the seal before the end, and the last check, for whenever the panel is drawn anew.
const seen = new Map(), found = new Map();

/** The panel of a game: it draws itself, and goes on by itself. `view` is any view of it. */
export function fairPanel(game, view) {
  const ended = view.status === "ended";
  if (!ended && !seen.has(game)) seen.set(game, view.commitment);
  const made = (place) => panel(place, game, view, ended);
  const key = `fair ${ended} ${language}`; // one element for each
  return h("details", { class: "fair panel", key, keep: true, made });
}

function panel(place, game, view, ended) {
  const draw = () =>
    render(
      place,
      h("summary", {}, ended ? t("fair.title") : t("fair.sealed")),
      h("p", {}, t("fair.meaning")),
      h("dl", {}, h("dt", {}, t("fair.seal")), h("dd", {}, h("code", {}, view.commitment)), ownLine(game)),
      ended ? checking(game, draw) : h("p", { class: "soft" }, t("fair.later")),
    );
  draw();
}

function ownLine(game) {
  const { entropy } = kept(game);
  return entropy ? [h("dt", {}, t("fair.own")), h("dd", {}, h("code", {}, entropy))] : null;
}

function checking(game, draw) {
  const state = found.get(game) ?? {};
  const props = { class: "main", type: "button", onclick: () => check(game, draw), "aria-disabled": state.busy ? "true" : null };
  return h(
    "div",
    { class: "checking" },
    h(
      "div",
      { class: "row" },
      canCheck() && h("button", props, t("fair.check")),
      h("a", { class: "button", href: `/v1/games/${game}/log`, download: `${game}.ndjson` }, t("fair.download")),
    ),
    canCheck() ? null : h("p", { class: "error" }, t("fair.insecure")),
    h("div", { role: "status" }, outcome(game, state)),
    state.verdict && rows(state),
    state.verdict?.ok && limit(game, state.verdict),
  );
}

async function check(game, draw) {
  if (found.get(game)?.busy) return;
  const tell = (state) => {
    found.set(game, state);
    draw();
  };
  tell({ busy: true });
  try {
    const file = await ask(`/v1/games/${game}/log`, { bytes: true });
    const { commitment = seen.get(game), seat, entropy } = kept(game);
    const own = entropy ? { seat, entropy } : {};
    const verdict = await verifyLog(new Uint8Array(file), { game, commitment, ...own });
    tell({ busy: verdict.ok, verdict });
    if (verdict.ok) tell({ verdict, rules: await ask(`/v1/games/${game}/verification`) });
  } catch (error) {
    if (!(error instanceof Problem || error instanceof Away)) throw error;
    tell({ ...found.get(game), busy: false, problem: error });
  }
}

function outcome(game, { busy, verdict, rules, problem }) {
  if (verdict && !verdict.ok) return bad(game, verdict.version);
  if (rules && !rules.ok) return bad(game, rules.version);
  if (problem) return h("p", { class: "error" }, refusal(problem));
  if (busy) return h("p", {}, t("fair.checking"));
  return verdict ? h("p", { class: "verdict good" }, t("fair.good", { n: verdict.versions })) : null;
}

function bad(game, version) {
  const href = `/games/${game}/replay?at=${version}&as=all`;
  const where = version ? h("a", { href }, t("fair.at", { version })) : t("fair.head");
  return h("p", { class: "verdict bad", role: "alert" }, t("fair.bad"), " ", where);
}

const SIGNS = new Map([[true, ["✓", "yes"]], [false, ["✗", "no"]], [null, ["–", "open"]]]);

function rows({ verdict, rules, busy }) {
  const judged = rules ? { ok: rules.ok, detail: {} } : { ok: null, detail: { why: busy ? "asking" : "unreached" } };
  return h(
    "ul",
    { class: "checks" },
    [...verdict.checks, { name: "rules", ...judged }].map(({ name, ok, detail }) => {
      const [sign, word] = SIGNS.get(ok);
      const text = ok === null ? t(`fair.open.${detail.why}`) : t(`fair.checks.${name}.${ok ? "good" : "bad"}`, detail);
      return h(
        "li",
        { key: name, class: word },
        h("span", { class: "sign", "aria-hidden": "true" }, sign),
        h("span", { class: "heard" }, t(`fair.signs.${word}`)),
        h("span", {}, h("b", {}, t(`fair.checks.${name}.name`)), " ", text),
      );
    }),
  );
}

// What a check of the log cannot show by itself: that the seal was not chosen for the deal it gives.
function limit(game, { joined, names }) {
  const { seat, entropy } = kept(game);
  const own = Boolean(entropy) && joined.includes(seat);
  const who = new Intl.ListFormat(language).format(joined.map((one) => personName(names[one])));
  return h(
    "div",
    { class: "limit" },
    h("h3", {}, t("fair.limit.title")),
    h("p", {}, t("fair.limit.what")),
    h("p", {}, own ? t("fair.limit.own") : who ? t("fair.limit.joined", { n: joined.length, who }) : t("fair.limit.none")),
  );
}
