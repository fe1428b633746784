// How do the bots of an arena stand? A report in tables and pictures: scores, ratings, who beat whom, how the games ended.

import { h } from "./dom.js";
import { plot, scaleAboutZero } from "./plot.js";
import { locale, number, percent, t } from "./text.js";

const HALVES = { from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1], middle: 0.5 };
const SIGNED = { maximumFractionDigits: 0, signDisplay: "exceptZero" };
const whole = (value) => number(Math.round(value));
const signed = (value) => new Intl.NumberFormat(locale, SIGNED).format(value).replace("-", "−");
const interval = (ends, text) => (ends ? t("arena.interval", { low: text(ends[0]), high: text(ends[1]) }) : t("arena.none"));

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
  return h(
    "div",
    { class: "wide", tabindex: "0", role: "group", "aria-label": t("arena.standings") },
    h(
      "table",
      { class: "standings" },
      h("thead", {}, h("tr", {}, head("bot", ""), head("score"), head("rating"), columns.map((name) => head(name)), scored && head("points"))),
      h("tbody", {}, report.bots.map(line)),
    ),
  );
}

/** Scores and ratings as pictures, with their intervals. */
export function pictures(report) {
  const row = (bot, value, ends, text) => {
    const told = t("arena.told", { bot: bot.bot, value: bot.games ? text(value) : t("arena.none"), interval: interval(ends, text) });
    return { name: bot.bot, value: bot.games ? value : null, low: ends?.[0] ?? null, high: ends?.[1] ?? null, told };
  };
  const ratings = report.bots.flatMap((bot) => [bot.rating, ...(bot.rating_ci95 ?? [])]);
  return h(
    "div",
    { class: "plots" },
    plot({ label: t("arena.scores"), rows: report.bots.map((bot) => row(bot, bot.score, bot.ci95, percent)), text: percent, ...HALVES }),
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
  const met = new Map(report.pairs.flatMap((pair) => [[pair.bots.join(" "), pair], [pair.bots.toReversed().join(" "), turned(pair)]]));
  const names = report.bots.map((bot) => bot.bot);
  const cell = (one, other) => {
    const pair = met.get(`${one} ${other}`);
    if (one === other) return h("td", { key: other, class: "number self" });
    if (!pair) return h("td", { key: other, class: "number" }, t("arena.none"));
    const told = t("arena.meeting", { one, other, n: pair.games, wins: number(pair.wins), draws: number(pair.draws), losses: number(pair.losses) });
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
  return h(
    "div",
    { class: "wide", tabindex: "0", role: "group", "aria-label": t("arena.pairs") },
    h(
      "table",
      { class: "matrix" },
      h("thead", {}, h("tr", {}, h("td", { key: "corner" }), names.map((name) => h("th", { key: name, scope: "col", class: "number" }, name)))),
      h(
        "tbody",
        {},
        names.map((one) => h("tr", { key: one }, h("th", { key: "bot", scope: "row" }, one), names.map((other) => cell(one, other)))),
      ),
    ),
  );
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
  const spread = (one) =>
    one ? t("arena.spread", { mean: number(one.mean), sd: number(one.sd), least: number(one.least), most: number(one.most) }) : t("arena.none");
  const endings = Object.entries(report.reasons).sort((one, other) => other[1] - one[1]);
  const forfeits = report.bots.filter((bot) => bot.losses_by.forfeit).map((bot) => `${bot.bot} ${number(bot.losses_by.forfeit)}`);
  const fact = (name, told) => [t(`arena.facts.${name}`), told];
  const facts = [
    ...endings.map(([reason, n]) => [t(`arena.reasons.${reason}`), count(n)]),
    fact("drawn", report.draws && count(report.draws)),
    fact("moves", spread(report.length)),
    fact("turns", spread(report.turns)),
    fact("seats", report.seats.length ? report.seats.map(percent).join(" · ") : t("arena.none")),
    fact("margin", report.margin !== null && number(report.margin)),
    fact("forfeits", forfeits.join(" · ")),
    fact("pace", report.games_per_second && t("arena.pace", { games: number(report.games_per_second), moves: whole(report.moves_per_second) })),
  ];
  const known = facts.filter(([, told]) => told);
  return h("dl", { class: "facts" }, known.map(([name, told]) => h("div", { key: name }, h("dt", {}, name), h("dd", {}, told))));
}
