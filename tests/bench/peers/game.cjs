// What is Spite & Malice to boardgame.io? The rules of `gato-e-rato` for two seats, as one of its games, with a view for
// each player, and `greedy` as of workers/bots/greedy.py. A card is 4 * (rank - 1) + suit, as in events/game/fast.

const { INVALID_MOVE } = require("boardgame.io/core");

const [WILD, PILES, STACKS, HAND, PAYOFF, TOP, TURNS] = [48, 3, 4, 5, 20, 12, 2000];

const rank = (card) => (card >> 2) + 1;
const top = (cards) => (cards.length ? cards[cards.length - 1] : -1);
const fits = (card, pile) => card >= WILD || card >> 2 === pile.length;

/** R2-R4: the deal; tied seats shuffle their payoffs until one of the tops is higher. */
function setup({ random }) {
  const deck = random.Shuffle(Array.from({ length: 104 }, (_, at) => at % 52));
  const payoffs = [deck.splice(0, PAYOFF), deck.splice(0, PAYOFF)];
  for (let round = 0; round < 16 && rank(top(payoffs[0])) === rank(top(payoffs[1])); round++)
    for (const seat of [0, 1]) payoffs[seat] = random.Shuffle(payoffs[seat]);
  const stacks = () => Array.from({ length: STACKS }, () => []);
  return {
    payoffs,
    hands: [deck.splice(0, HAND), deck.splice(0, HAND)],
    sides: [stacks(), stacks()],
    piles: Array.from({ length: PILES }, () => []),
    stock: deck,
    starter: rank(top(payoffs[1])) > rank(top(payoffs[0])) ? 1 : 0,
    result: null,
  };
}

/** R18: fewest payoff cards. */
function fewest(G) {
  const [first, second] = G.payoffs.map((payoff) => payoff.length);
  G.result = { winner: first === second ? null : first < second ? 0 : 1, reason: "exhausted" };
}

/** R6, R13, R18: up to five cards. */
function draw(G, seat) {
  while (G.hands[seat].length < HAND && G.stock.length) G.hands[seat].push(G.stock.pop());
  if (!G.stock.length) fewest(G);
}

/** R7-R13, R17, R20: a card to a centre pile; `from` is hand (`at` the card), side (`at` the stack) or payoff. */
function play({ G, playerID, random }, from, at, to) {
  const seat = Number(playerID);
  const pile = G.piles[to];
  const hand = G.hands[seat];
  const source = { hand, payoff: G.payoffs[seat], side: G.sides[seat][at] }[from];
  if (!pile || !source || !source.length || G.result) return INVALID_MOVE;
  const index = from === "hand" ? hand.indexOf(at) : source.length - 1;
  if (index < 0 || !fits(source[index], pile)) return INVALID_MOVE;
  pile.push(source.splice(index, 1)[0]);
  if (!G.payoffs[seat].length) {
    G.result = { winner: seat, reason: "payoff" };
    return;
  }
  if (pile.length === TOP) G.stock = random.Shuffle([...G.stock, ...pile.splice(0)]);
  if (!hand.length) draw(G, seat);
}

/** R14: a hand card onto a side stack; the turn is over. */
function discard({ G, ctx, playerID, events }, card, to) {
  const seat = Number(playerID);
  const index = G.hands[seat].indexOf(card);
  const stack = G.sides[seat][to];
  if (index < 0 || !stack || G.result) return INVALID_MOVE;
  stack.push(G.hands[seat].splice(index, 1)[0]);
  if (ctx.turn >= TURNS) fewest(G);
  events.endTurn();
}

/** What a seat may see. */
function view(G, seat) {
  return {
    hand: G.hands[seat] || [],
    hands: G.hands.map((hand) => hand.length),
    tops: G.payoffs.map(top),
    lefts: G.payoffs.map((payoff) => payoff.length),
    sides: G.sides,
    piles: G.piles,
    stock: G.stock.length,
    result: G.result,
  };
}

const game = {
  name: "malice",
  setup,
  moves: { play, discard },
  turn: {
    order: { first: ({ G }) => G.starter, next: ({ ctx }) => (ctx.playOrderPos + 1) % ctx.numPlayers },
    onBegin: ({ G, ctx }) => {
      if (ctx.turn > 1 && !G.result) draw(G, Number(ctx.currentPlayer));
    },
  },
  endIf: ({ G }) => G.result || undefined,
  playerView: ({ G, playerID }) => view(G, Number(playerID)),
  disableUndo: true,
};

/** What it is worth to discard this rank onto this top; 0 is an empty stack. */
function place(card, onto) {
  if (onto === 0) return 300 + card;
  if (onto === card + 1) return 500 + card;
  if (onto === card) return 400 + card;
  return onto > card ? 200 - (onto - card) : 100 + onto;
}

/** The move that `greedy` makes: its name and arguments. */
function greedy(seen, seat) {
  const goal = seen.tops[seat] < WILD ? rank(seen.tops[seat]) : 0;
  let best = null;
  let most = 0;
  const consider = (worth, card, from, at) => {
    seen.piles.forEach((pile, to) => {
      if (!fits(card, pile)) return;
      let value = worth;
      if (card >= WILD && from !== "payoff") {
        const steps = goal > pile.length + 1 ? goal - pile.length - 1 : 99;
        const idle = from === "hand" && seen.hand.every((other) => other >= WILD);
        value = (steps <= 2 || idle ? worth : 0) - steps;
      }
      if (value > most) [best, most] = [["play", from, at, to], value];
    });
  };
  if (seen.tops[seat] >= 0) consider(400, seen.tops[seat], "payoff", 0);
  if (best) return best;
  for (const card of seen.hand) consider(100, card, "hand", card);
  seen.sides[seat].forEach((stack, at) => stack.length && consider(200, top(stack), "side", at));
  if (best) return best;
  most = -1000;
  for (const card of seen.hand)
    seen.sides[seat].forEach((stack, to) => {
      const worth = place(rank(card), stack.length ? rank(top(stack)) : 0) - (card >= WILD ? 500 : 0);
      if (worth > most) [best, most] = [["discard", card, to], worth];
    });
  return best;
}

module.exports = { game, greedy, view };
