// How does the table look in the middle of a commit? A view with one fact more, for the eye alone: what counts is the service's
// own view, which takes its place when the commit has been shown. A fact already holds its consequences; no rule is asked.

const replaced = (list, index, value) => list.map((one, at) => (at === index ? value : one));
const without = (cards, card) => {
  const at = cards.indexOf(card);
  return at < 0 ? cards.slice(0, -1) : cards.toSpliced(at, 1);
};

function atSeat(view, seat, change) {
  return { ...view, seats: replaced(view.seats, seat, { ...view.seats[seat], ...change }) };
}

// What is seen of a hand, a payoff or the stock is a list or a count; of an open view the lists beside it go along.
const size = (cards) => (Array.isArray(cards) ? cards.length : cards.count);
const open = (view, what, change) => (view.cards ? { ...view, cards: { ...view.cards, [what]: change(view.cards[what]) } } : view);

/** The view without what the fact takes away: a card is lifted, and has not come down. */
export function lifted(view, fact) {
  const { seat, card } = fact;
  switch (fact.type) {
    case "CardPlayed":
      if (fact.source === "hand") return fromHand(view, seat, card);
      if (fact.source === "side") {
        const { sides } = view.seats[seat];
        return atSeat(view, seat, { sides: replaced(sides, fact.side, sides[fact.side].slice(0, -1)) });
      }
      return open(
        atSeat(view, fact.owner, { payoff: { top: null, left: view.seats[fact.owner].payoff.left - 1 } }),
        "payoffs",
        (payoffs) => replaced(payoffs, fact.owner, payoffs[fact.owner].slice(0, -1)),
      );
    case "CardDiscarded":
      return fromHand(view, seat, card);
    case "PileCompleted":
      return { ...view, piles: replaced(view.piles, fact.pile, []) };
    case "CardsDrawn": {
      const count = fact.count ?? fact.cards.length;
      return open({ ...view, stock: view.stock - count }, "stock", (stock) => stock.slice(0, stock.length - count));
    }
    default:
      return view;
  }
}

function fromHand(view, seat, card) {
  const fewer = atSeat(view, seat, { hand: view.seats[seat].hand - 1 });
  const own = view.seat === seat ? { ...fewer, hand: without(view.hand, card) } : fewer;
  return open(own, "hands", (hands) => replaced(hands, seat, without(hands[seat], card)));
}

/** The view after the fact. */
export function after(view, fact) {
  const up = lifted(view, fact), { seat } = fact;
  switch (fact.type) {
    case "CardPlayed": {
      const landed = {
        ...up,
        piles: replaced(up.piles, fact.pile, [...up.piles[fact.pile], fact.card]),
        needs: replaced(up.needs, fact.pile, null), // what it needs now is the service's to say, in its view
      };
      if (fact.source !== "payoff") return landed;
      return atSeat(landed, fact.owner, { payoff: { top: fact.turned, left: up.seats[fact.owner].payoff.left } });
    }
    case "CardDiscarded": {
      const { sides } = up.seats[seat];
      return atSeat(up, seat, { sides: replaced(sides, fact.side, [...sides[fact.side], fact.card]) });
    }
    case "PileCompleted":
      return open({ ...up, [fact.to]: up[fact.to] + fact.cards.length }, fact.to, (cards) => [...cards, ...fact.cards]);
    case "CardsDrawn": {
      const count = fact.count ?? fact.cards.length;
      const more = atSeat(up, seat, { hand: up.seats[seat].hand + count });
      const own = view.seat === seat && fact.cards ? { ...more, hand: [...view.hand, ...fact.cards] } : more;
      return open(own, "hands", (hands) => replaced(hands, seat, [...hands[seat], ...(fact.cards ?? [])]));
    }
    case "StockShuffled": {
      const count = fact.count ?? fact.stock.length; // what the stock gains beyond what it had lay aside
      const shuffled = { ...view, stock: count, aside: view.aside + view.stock - count };
      const stock = open(shuffled, "stock", (before) => fact.stock ?? before);
      return open(stock, "aside", (aside) => (shuffled.aside ? aside : []));
    }
    case "CardsDealt":
      return dealt(view, fact);
    case "PayoffsReshuffled":
      return Object.entries(fact.payoffs).reduce((one, [who, payoff]) => reshuffled(one, Number(who), payoff), view);
    case "TurnStarted":
      return { ...view, status: "playing", turn: { seat, number: fact.turn } };
    case "SeatTaken":
      return atSeat(view, seat, { name: fact.name, kind: "human" });
    case "SeatResigned":
    case "ClockExpired":
    case "SeatForfeited":
      return atSeat(view, seat, { resigned: true });
    case "GameEnded":
      return { ...view, status: "ended", legal: [] };
    default:
      return view;
  }
}

const seenPayoff = (payoff) => (Array.isArray(payoff) ? { top: payoff.at(-1) ?? null, left: payoff.length } : payoff);

function reshuffled(view, seat, payoff) {
  const turned = atSeat(view, seat, { payoff: seenPayoff(payoff) });
  return Array.isArray(payoff) ? open(turned, "payoffs", (payoffs) => replaced(payoffs, seat, payoff)) : turned;
}

function dealt(view, fact) {
  const seats = view.seats.map((one, seat) => ({ ...one, payoff: seenPayoff(fact.payoffs[seat]), hand: size(fact.hands[seat]) }));
  const own = view.seat != null && Array.isArray(fact.hands[view.seat]) ? fact.hands[view.seat] : view.hand;
  const cards = view.cards && { ...view.cards, payoffs: fact.payoffs, hands: fact.hands, stock: fact.stock };
  return { ...view, seats, hand: own, stock: size(fact.stock), ...(cards ? { cards } : {}) };
}
