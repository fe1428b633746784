// What has happened, in words? A sentence or more for each commit, for whoever hears the page and for the list of the last moves.

import { aRank, cardName, listOf, personName, rankOf, sentence, t, theCard } from "./text.js";

/** The names of a view's seats: no two alike, as those who share one are numbered. */
export function names(view) {
  const given = view.seats.map((seat) => personName(seat.name) ?? t("table.open"));
  const shared = (name) => given.filter((one) => one === name).length > 1;
  const told = given.map((name, seat) => (shared(name) ? `${name} ${seat + 1}` : name));
  return new Set(told).size === told.length ? told : given.map((name, seat) => `${name} ${seat + 1}`); // one is called "Ann 2"
}

/** What a commit tells whoever looks with these eyes (`me`: the seat, or null), as one text. */
export function told(commit, who, me) {
  return commit.events.flatMap((fact) => words(fact, who, me) ?? []).map(sentence).join(" ");
}

function words(fact, who, me) {
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
      if (mine && fact.cards) return of("draws", drawn(fact.cards));
      return of("draws", { n: fact.count ?? fact.cards.length });
    case "CardPlayed":
      return played(fact, who, of);
    case "PileCompleted":
      return t(`news.completed.${fact.to}`, { pile: fact.pile + 1 });
    case "StockShuffled":
      return t("news.shuffled", { n: fact.count ?? fact.stock.length });
    case "CardDiscarded":
      return of("discards", { theCard: theCard(fact.card), side: fact.side + 1 });
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

const drawn = (cards) => ({ n: cards.length, theCard: theCard(cards[0]), cards: cards.map(cardName).join(", ") });

function played(fact, who, of) {
  const from = fact.source === "payoff" && fact.owner !== fact.seat ? "partner" : fact.source;
  const source = t(`news.from.${from}`, { n: fact.side === null ? "" : fact.side + 1, owner: who[fact.owner] });
  const all = [of("plays", { theCard: theCard(fact.card), source, pile: fact.pile + 1 })];
  if (rankOf(fact.card) !== fact.rank) all.push(t("news.wild", { aRank: aRank(fact.rank) }));
  if (fact.turned) all.push(t("news.turned", { theCard: theCard(fact.turned) }));
  return all;
}

/** How a game ended: who won, why, and the points, as sentences. `result` is a view's, or the fact. */
export function ending(result, who, me) {
  const winners = listOf(result.winners.map((seat) => who[seat]));
  const won = me !== null && result.winners.includes(me) ? "youWon" : "won";
  const first = result.result === "won" ? won : result.result;
  const all = [t(`news.end.${first}`, { who: winners, n: result.winners.length }), t(`news.why.${result.reason}`)];
  if (result.points?.some((points) => points > 0)) {
    all.push(t("news.points", { points: result.points.map((points, seat) => `${who[seat]} ${points}`).join(", ") }));
  }
  return all;
}
