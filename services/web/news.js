// What has happened, in words? A sentence or more for each commit, for whoever hears the page and for the list of the last moves.

import { Away } from "./api.js";
import { parts, placesOf } from "./moves.js";
import { cardName, hasText, personName, rankName, t } from "./text.js";

/** The names of a view's seats: no two alike, as those who share one are numbered. */
export function names(view) {
  const given = view.seats.map((seat) => personName(seat.name) ?? t("table.open"));
  const shared = (name) => given.filter((one) => one === name).length > 1;
  const told = given.map((name, seat) => (shared(name) ? `${name} ${seat + 1}` : name));
  return new Set(told).size === told.length ? told : given.map((name, seat) => `${name} ${seat + 1}`); // one is called "Ann 2"
}

/** A sentence begins with a capital. */
export const sentence = (text) => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** What a commit tells whoever looks with these eyes (`me`: the seat, or null), as one text. */
export function told(commit, who, me) {
  const full = commit.events.some(({ type }) => type === "PileCompleted" || type === "GameEnded");
  return commit.events.flatMap((fact) => words(fact, who, me, full) ?? []).map(sentence).join(" ");
}

function words(fact, who, me, full) {
  const mine = fact.seat === me && me !== null;
  // Every sentence is there twice: about somebody, and about whoever reads it.
  const of = (name, values = {}) => t(`news.${mine ? "you" : "they"}.${name}`, { who: who[fact.seat], ...values });
  switch (fact.type) {
    case "SeatTaken":
      return t("news.sits", { who: personName(fact.name) });
    case "CardsDealt":
      return t("news.dealt");
    case "PayoffsReshuffled":
      return t("news.tied");
    case "TurnStarted":
      return of("turn");
    case "CardsDrawn":
      if (mine && fact.cards) return of("draws", { n: fact.cards.length, cards: fact.cards.map(cardName).join(", ") });
      return of("draws", { n: fact.count ?? fact.cards.length });
    case "CardPlayed":
      return played(fact, who, of, full);
    case "PileCompleted":
      return t(`news.completed.${fact.to}`, { pile: fact.pile + 1 });
    case "StockShuffled":
      return t("news.shuffled", { n: fact.count ?? fact.stock.length });
    case "CardDiscarded":
      return of("discards", { card: cardName(fact.card), side: fact.side + 1 });
    case "TurnPassed":
      return of("passes");
    case "SeatResigned":
      return of("resigns");
    case "ClockExpired":
      return of("expired");
    case "SeatForfeited":
      return of("forfeits");
    case "GameEnded":
      return ending(fact, who, me).join(" ");
    default:
      return null;
  }
}

function played(fact, who, of, full) {
  const from = fact.source === "payoff" && fact.owner !== fact.seat ? "partner" : fact.source;
  const side = fact.side === null ? "" : fact.side + 1;
  const source = t(`news.from.${from}`, { n: side, owner: who[fact.owner] });
  const told = [of("plays", { card: cardName(fact.card), source, pile: fact.pile + 1 })];
  if (!fact.card.startsWith("A23456789TJQK"[fact.rank - 1])) told.push(t("news.wild", { rank: rankName(fact.rank) }));
  if (!full) told.push(t("news.needs", { rank: rankName(fact.rank + 1) }));
  if (fact.turned) told.push(t("news.turned", { card: cardName(fact.turned) }));
  return told;
}

/** How a game ended: who won, why, and the points, as sentences. `result` is a view's, or the fact. */
export function ending(result, who, me) {
  const winners = result.winners.map((seat) => who[seat]).join(", ");
  const won = me !== null && result.winners.includes(me) ? "youWon" : "won";
  const first = result.result === "won" ? won : result.result;
  const all = [t(`news.end.${first}`, { who: winners, n: result.winners.length }), t(`news.why.${result.reason}`)];
  if (result.points?.some((points) => points > 0)) {
    all.push(t("news.points", { points: result.points.map((points, seat) => `${who[seat]} ${points}`).join(", ") }));
  }
  return all;
}

/** Why a move of this view was refused, or whatever else was asked for: in the page's language, with the values and the rule. */
export function refusal(problem, view, move) {
  const code = problem instanceof Away ? "away" : problem.code;
  const name = problem.reason ? `reasons.${problem.reason}` : hasText(`problems.${code}`) ? `problems.${code}` : "problems.other";
  return sentence(t(name, { detail: problem.message, ...(view && valuesOf(view, move, problem.reason)) }));
}

// What a refusal may speak of.
function valuesOf(view, move, reason) {
  const found = move && placesOf(view, move);
  const pile = found?.to.startsWith("c") ? parts(found.to)[1] : null;
  const needs = pile === null ? null : view.needs[pile];
  return {
    card: found?.card ? cardName(found.card) : "",
    n: pile !== null ? pile + 1 : reason === "cards_in_hand" ? view.hand.length : view.stock + view.aside,
    rank: needs === null ? "" : rankName(needs),
    who: view.turn ? names(view)[view.turn.seat] : "",
  };
}
