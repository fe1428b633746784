// How do the bots of an arena stand? A report in tables and pictures: scores, ratings, who beat whom, how the games ended.

import { h } from "./dom.js";
import { plot, scaleAboutZero } from "./plot.js";
import { locale, number, percent, t } from "./text.js";

const HALVES = { from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1], middle: 0.5 };
const SIGNED = { maximumFractionDigits: 0, signDisplay: "exceptZero" };
const whole = (value) => number(Math.round(value));
const signed = (value) => new Intl.NumberFormat(locale, SIGNED).format(value).replace("-", "−");
const interval = (ends, text) => (ends ? t("arena.interval", { low: text(ends[0]), high: text(ends[1]) }) : t("arena.none"));

// A table that is scrolled sideways where it has no room, by keys too.
const wide = (label, kind, heads, lines) =>
  h(
    "div",
    { class: "wide", tabindex: "0", role: "group", "aria-label": label },
    h("table", { class: kind }, h("thead", {}, heads), h("tbody", {}, lines)),
  );

/** The table of the bots, best first. */
export function standings(report) {
  const scored = report.bots.some((bot) => bot.points !== null);
  const columns = ["games", "wins", "draws", "losses"];
  const head = (name, kind = "number") => h("th", { key: name, scope: "col", class: kind }, t(`arena.columns.${name}`));
  const cell = (key, value, more) => h("td", { key, class: "number" }, value, more && h("small", {}, more));
  const line = (bot) =>
    h(
      "tr",
      { key: bot.bot },
      h("th", { key: "bot", scope: "row" }, bot.bot),
      cell("score", bot.games ? percent(bot.score) : t("arena.none"), interval(bot.ci95, percent)),
      cell("rating", bot.games ? signed(bot.rating) : t("arena.none"), interval(bot.rating_ci95, signed)),
      columns.map((column) => cell(column, number(bot[column]))),
      scored && cell("points", bot.points === null ? t("arena.none") : number(bot.points)),
    );
  const names = ["score", "rating", ...columns, ...(scored ? ["points"] : [])];
  const heads = h("tr", {}, head("bot", ""), names.map((name) => head(name)));
  return wide(t("arena.standings"), "standings", heads, report.bots.map(line));
}

/** Scores and ratings as pictures, with their intervals. */
export function pictures(report) {
  const row = (bot, value, ends, text) => {
    const said = bot.games ? text(value) : t("arena.none");
    const told = t("arena.told", { bot: bot.bot, value: said, interval: interval(ends, text) });
    return { name: bot.bot, value: bot.games ? value : null, low: ends?.[0] ?? null, high: ends?.[1] ?? null, told };
  };
  const ratings = report.bots.flatMap((bot) => [bot.rating, ...(bot.rating_ci95 ?? [])]);
  return h(
    "div",
    { class: "plots" },
    plot({
      label: t("arena.scores"),
      rows: report.bots.map((bot) => row(bot, bot.score, bot.ci95, percent)),
      text: percent,
      ...HALVES,
    }),
    plot({
      label: t("arena.ratings"),
      rows: report.bots.map((bot) => row(bot, bot.rating, bot.rating_ci95, signed)),
      text: signed,
      ...scaleAboutZero(ratings),
    }),
  );
}

/** Who beat whom: a table of the scores of rows against columns, in the order of the standings. */
export function matrix(report) {
  const met = new Map();
  for (const { bots: [one, other], ...pair } of report.pairs) {
    met.set(`${one} ${other}`, pair);
    met.set(`${other} ${one}`, turned(pair));
  }
  const names = report.bots.map((bot) => bot.bot);
  const cell = (one, other) => {
    const pair = met.get(`${one} ${other}`);
    if (one === other) return h("td", { key: other, class: "number self" });
    if (!pair) return h("td", { key: other, class: "number" }, t("arena.none"));
    const [wins, draws, losses] = [pair.wins, pair.draws, pair.losses].map(number);
    const told = t("arena.meeting", { one, other, n: pair.games, wins, draws, losses });
    return h(
      "td",
      {
        key: other,
        class: pair.score < 0.5 ? "number down" : "number up",
        style: { "--tint": `${Math.round(60 * Math.abs(pair.score - 0.5))}%` },
        title: told,
      },
      percent(pair.score),
      h("small", {}, interval(pair.ci95, percent)),
    );
  };
  const head = (name) => h("th", { key: name, scope: "col", class: "number" }, name);
  const line = (one) => h("tr", { key: one }, h("th", { key: "bot", scope: "row" }, one), names.map((other) => cell(one, other)));
  return wide(t("arena.pairs"), "matrix", h("tr", {}, h("td", { key: "corner" }), names.map(head)), names.map(line));
}

const turned = ({ wins, losses, score, ci95, ...same }) => ({
  ...same,
  wins: losses,
  losses: wins,
  score: 1 - score,
  ci95: ci95 && [1 - ci95[1], 1 - ci95[0]],
});

/** How the games ended, how long they were, what each seat scored, and who gave games away. */
export function figures(report) {
  const count = (n) => t("arena.share", { n: number(n), share: percent(report.done ? n / report.done : 0) });
  const spread = (one) => {
    if (!one) return t("arena.none");
    const [mean, sd, least, most] = [one.mean, one.sd, one.least, one.most].map(number);
    return t("arena.spread", { mean, sd, least, most });
  };
  const endings = Object.entries(report.reasons).sort((one, other) => other[1] - one[1]);
  const forfeits = report.bots.filter((bot) => bot.losses_by.forfeit).map((bot) => `${bot.bot} ${number(bot.losses_by.forfeit)}`);
  const fact = (name, told) => [t(`arena.facts.${name}`), told];
  const [games, moves] = [number(report.games_per_second ?? 0), whole(report.moves_per_second ?? 0)];
  const pace = report.games_per_second && t("arena.pace", { games, moves });
  const facts = [
    ...endings.map(([reason, n]) => [t(`arena.reasons.${reason}`), count(n)]),
    fact("drawn", report.draws && count(report.draws)),
    fact("moves", spread(report.length)),
    fact("turns", spread(report.turns)),
    fact("seats", report.seats.length ? report.seats.map(percent).join(" · ") : t("arena.none")),
    fact("margin", report.margin !== null && number(report.margin)),
    fact("forfeits", forfeits.join(" · ")),
    fact("pace", pace),
  ];
  const known = facts.filter(([, told]) => told);
  return h("dl", { class: "facts" }, known.map(([name, told]) => h("div", { key: name }, h("dt", {}, name), h("dd", {}, told))));
}
