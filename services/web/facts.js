// Do the facts of a log go together? Each card is taken from where it lay, each shuffle is made again, none is lost or doubled.
//
// No rule of play is asked here, only the contract's sections 2 and 4: that a move was allowed is the service's to judge.

import { gameKey, height, inOrder, pack, permuted, seedBytes, shuffled } from "./shuffle.js";

const ROUNDS = 16; // R4: so many times tied payoffs are shuffled again

/** Something is wrong, and this `check` says so. */
export class Wrong extends Error {
  constructor(check) {
    super(check);
    this.check = check;
  }
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

export function must(holds, check) {
  if (!holds) throw new Wrong(check);
}

/** All the cards of a game, face up, and its chance: `await take(event, version)` for each event, `settled()` after each commit. */
export class Facts {
  joined = []; // seats that added to the chance after the seed was promised
  sat = []; // per seat: the version at which it was taken
  done = { shuffles: 0, draws: 0, ties: 0 };
  start = null; // "dealt" or "placed"
  ended = false;
  #due = []; // what has to come next: [check, event]
  #owed = 0; // cards of a completed pile that are on their way into the stock
  #next = 0; // the number of the next shuffle

  /** `seed` is the one revealed, 128 hex digits. */
  constructor(seed) {
    this.seed = seed;
  }

  async take(event, version) {
    must(!this.ended && (this.rules !== undefined) === (event.type !== "GameCreated"), "cards");
    const [check, due] = this.#due.shift() ?? [];
    if (check) must(same(due, event), check);
    must(!this.#owed || event.type === "StockShuffled", "shuffles");
    await this[event.type]?.(event, version);
  }

  /** Has all happened that had to? To be asked after each commit. */
  settled() {
    must(!this.#due.length, this.#due[0]?.[0]);
    must(!this.#owed, "shuffles");
  }

  /** Is every card there, once? To be asked at the end: on the way none is laid down that was not taken up. */
  count() {
    if (this.start) must(same(this.all, this.#everywhere()), "cards");
  }

  GameCreated({ rules, seats }, version) {
    must(seats.length === rules.seats, "cards");
    this.rules = rules;
    this.entropies = seats.map((seat) => seat.entropy);
    this.open = seats.map((seat) => seat.kind === "open");
    this.names = seats.map((seat) => seat.name);
    this.sat = seats.map(() => version);
    this.sides = seats.map(() => Array.from({ length: rules.side_stacks }, () => []));
    this.piles = Array.from({ length: rules.centre_piles }, () => []);
    this.aside = [];
  }

  SeatTaken({ seat, name, entropy }, version) {
    must(this.open[seat], "entropy");
    this.open[seat] = false;
    Object.assign(this.names, { [seat]: name });
    Object.assign(this.entropies, { [seat]: entropy });
    this.sat[seat] = version;
    if (entropy) this.joined.push(seat);
  }

  async #begin(how, first) {
    must(this.start === null && !this.open.includes(true), "deal");
    this.start = how;
    this.key = await gameKey(seedBytes(this.seed), this.entropies);
    this.#next = first;
  }

  async CardsDealt(event) {
    await this.#begin("dealt", 1);
    const { payoff, hand } = this.rules;
    this.all = inOrder(pack(this.rules));
    const stock = await shuffled(this.key, 0, this.all);
    const each = (cards) => this.open.map(() => Array.from({ length: cards }, () => stock.pop()));
    const payoffs = each(payoff), hands = each(hand);
    must(same([payoffs, hands, stock], [event.payoffs, event.hands, event.stock]), "deal");
    Object.assign(this, { payoffs, hands, stock });
    this.#due = await this.#starting();
  }

  async PositionSet(event) {
    await this.#begin("placed", 1);
    const { payoffs, hands, sides, piles, stock, aside } = structuredClone(event);
    Object.assign(this, { payoffs, hands, sides, piles, stock, aside });
    this.all = this.#everywhere();
  }

  // What follows a deal: tied payoffs shuffled again and again, and the seat that starts.
  async #starting() {
    const due = [], begin = (seat) => [...due, ["starter", { seat, turn: 1, type: "TurnStarted" }]];
    let seats = [...this.open.keys()];
    if (this.rules.starter === "first") return begin(0);
    if (this.rules.starter === "random") return begin((await permuted(this.key, this.#next++, seats)).at(-1));
    const best = this.rules.starter === "highest" ? Math.max : Math.min;
    const payoffs = [...this.payoffs];
    for (let round = 0; ; round++) {
      const tops = seats.map((seat) => height(payoffs[seat].at(-1)));
      seats = seats.filter((_, at) => tops[at] === best(...tops));
      if (seats.length === 1 || round === ROUNDS) return begin(seats[0]);
      for (const seat of seats) payoffs[seat] = await shuffled(this.key, this.#next++, payoffs[seat]);
      const turned = Object.fromEntries(seats.map((seat) => [seat, payoffs[seat]]));
      due.push(["starter", { payoffs: turned, type: "PayoffsReshuffled" }]);
    }
  }

  PayoffsReshuffled({ payoffs }) {
    for (const seat in payoffs) this.payoffs[seat] = [...payoffs[seat]];
    this.done.ties++;
  }

  CardsDrawn({ seat, cards }) {
    const top = this.stock.splice(Math.max(0, this.stock.length - cards.length)).reverse();
    must(same(top, cards), "draws");
    this.hands[seat].push(...cards);
    this.done.draws += cards.length;
  }

  CardPlayed({ seat, source, owner, side, card, pile, rank, turned }) {
    const payoff = source === "payoff" ? this.payoffs[owner] : null;
    if (source === "hand") this.#fromHand(seat, card);
    else must((payoff ?? this.sides[seat][side]).pop() === card, "cards");
    must(turned === (payoff?.at(-1) ?? null), "cards");
    must(this.piles[pile].push(card) === rank, "cards");
  }

  CardDiscarded({ seat, card, side }) {
    this.#fromHand(seat, card);
    this.sides[seat][side].push(card);
  }

  #fromHand(seat, card) {
    const at = this.hands[seat].indexOf(card);
    must(at >= 0, "cards");
    this.hands[seat].splice(at, 1);
  }

  PileCompleted({ pile, cards, to }) {
    must(same(this.piles[pile], cards), "cards");
    must(to === this.rules.completed, "shuffles");
    this.piles[pile] = [];
    this.aside.push(...cards);
    if (to === "stock") this.#owed = cards.length;
  }

  async StockShuffled({ stock, returned }) {
    must(returned === (this.#owed || this.aside.length), "shuffles");
    this.#owed = 0;
    const cards = [...this.stock, ...this.aside.splice(this.aside.length - returned)];
    this.stock = await shuffled(this.key, this.#next++, cards);
    must(same(this.stock, stock), "shuffles");
    this.done.shuffles++;
  }

  GameEnded() {
    this.ended = true;
  }

  #everywhere() {
    return inOrder([this.payoffs, this.hands, this.sides, this.piles, this.stock, this.aside].flat(Infinity));
  }
}
