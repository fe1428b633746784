// How do the cards of a commit move? On the view before it, fact by fact: cards are lifted, fly, land, turn up and are shuffled.
//
// It is for the eye alone and tells nothing that the views do not: when it is over, the service's own view is drawn by whoever
// asked. The ghosts that fly lie in a layer over the page; the table itself is drawn by `draw` and only measured here.

import { back, face, ghost } from "./cards.js";
import { render } from "./dom.js";
import { after, lifted } from "./fold.js";

// Milliseconds at pace 1.
const FLY = 330, EACH = 75, TURN = 200, SHUFFLE = 260, REST = 110;
const SWEPT = 5; // so many cards of a completed pile are seen to fly

/**
 * Show a commit beginning with `view`, as it is drawn in `root` by `draw(view)`; `pace` is how long movements take, as a factor.
 * Answers with the last view that was drawn. `signal` ends all movement at once; `from` is where the first card was let go
 * (a DOMRect), if it was dragged.
 */
export async function perform(root, view, commit, draw, pace, { signal, from } = {}) {
  const stage = new Stage(root, draw, pace, signal);
  let seen = view;
  try {
    for (const [index, fact] of commit.events.entries()) {
      const next = after(seen, fact);
      if (stage.moving) await shown(stage, seen, fact, next, index === 0 ? from : null);
      draw(next);
      seen = next;
    }
    return seen;
  } finally {
    stage.close();
  }
}

class Stage {
  constructor(root, draw, pace, signal) {
    Object.assign(this, { root, draw, pace, signal, ghosts: [], running: new Set() });
    this.stop = () => this.running.forEach((animation) => animation.finish());
    signal?.addEventListener("abort", this.stop);
  }

  get moving() {
    return this.pace > 0 && !document.hidden && !this.signal?.aborted && this.root.isConnected;
  }

  /** The card on top of a place, or the place. */
  top(place) {
    const found = this.root.querySelector(`[data-place="${place}"]`);
    return [...(found?.querySelectorAll(".card") ?? [])].at(-1) ?? found;
  }

  box(place) {
    return this.top(place)?.getBoundingClientRect();
  }

  async play(element, frames, milliseconds, { delay = 0, easing = "cubic-bezier(0.3, 0.7, 0.2, 1)" } = {}) {
    if (!this.moving) return;
    const timing = { duration: milliseconds * this.pace, delay: delay * this.pace, easing, fill: "backwards" };
    const animation = element.animate(frames, timing);
    this.running.add(animation);
    // A tab that is not painted may never finish anything: the game goes on all the same.
    const late = new Promise((done) => setTimeout(done, timing.duration + timing.delay + 400));
    await Promise.race([animation.finished.catch(() => {}), late]); // ended before its time, with what it moved
    this.running.delete(animation);
  }

  /** A card that flies from one box to another; `turns` is "up" or "down", where its other side is seen at first. */
  async fly(card, from, to, { turns, delay = 0 } = {}) {
    if (!from || !to || !this.moving) return;
    const ghost = this.ghost(card, to, turns);
    const scale = from.width / to.width, x = from.left - to.left, y = from.top - to.top;
    const frames = [
      { transform: `translate(${x}px, ${y}px) scale(${scale})` },
      { transform: `translate(${x / 2}px, ${y / 2}px) scale(${(scale + 1) * 0.54})`, offset: 0.45 },
      { transform: "none" },
    ];
    const flight = [this.play(ghost, frames, FLY, { delay })];
    if (turns) {
      const [first, last] = turns === "up" ? [180, 0] : [0, 180];
      const turning = [{ transform: `rotateY(${first}deg)` }, { transform: `rotateY(${last}deg)` }];
      flight.push(this.play(ghost.firstChild, turning, FLY * 0.8, { delay, easing: "ease-in-out" }));
    }
    await Promise.all(flight);
    ghost.remove();
  }

  ghost(card, box, turns) {
    const layer = ghost(box), sides = document.createElement("div");
    sides.className = "sides-of";
    layer.append(sides);
    render(sides, card ? face(card) : back(), turns && back({ class: "behind" }));
    this.ghosts.push(layer);
    return layer;
  }

  /** Elements that are not seen until what flies to them is there. */
  hide(elements) {
    for (const element of elements) element.style.setProperty("visibility", "hidden");
    return () => elements.forEach((element) => element.style.removeProperty("visibility"));
  }

  close() {
    this.signal?.removeEventListener("abort", this.stop);
    for (const ghost of this.ghosts) ghost.remove();
  }
}

async function shown(stage, seen, fact, next, from) {
  switch (fact.type) {
    case "CardPlayed":
      await carried(stage, seen, fact, next, `c${fact.pile}`, from);
      if (fact.source === "payoff" && fact.turned) await turned(stage, `p${fact.owner}`);
      return stage.play(stage.root, [], REST);
    case "CardDiscarded":
      await carried(stage, seen, fact, next, `s${fact.seat}.${fact.side}`, from);
      return stage.play(stage.root, [], REST);
    case "PileCompleted":
      return swept(stage, seen, fact, next);
    case "StockShuffled":
      if (next.aside < seen.aside) await recycled(stage, seen, next);
      return shuffled(stage, "stock");
    case "CardsDrawn":
      return drawn(stage, seen, fact, next);
    case "CardsDealt":
      return dealt(stage, next);
    case "PayoffsReshuffled": {
      const places = Object.keys(fact.payoffs).map((seat) => `p${seat}`);
      await Promise.all(places.map((place) => shuffled(stage, place)));
      stage.draw(next);
      await Promise.all(places.map((place) => turned(stage, place)));
    }
  }
}

// Is this hand seen card by card, in places of its own?
const laidOut = (stage, seat) => stage.root.querySelector(`[data-place^="h${seat}."]`) !== null;

function sourceOf(stage, view, fact) {
  if (fact.source === "payoff") return `p${fact.owner}`;
  if (fact.source === "side") return `s${fact.seat}.${fact.side}`;
  if (!laidOut(stage, fact.seat)) return `h${fact.seat}`;
  return `h${fact.seat}.${(view.cards?.hands[fact.seat] ?? view.hand).indexOf(fact.card)}`;
}

async function carried(stage, seen, fact, next, target, dropped) {
  const source = sourceOf(stage, seen, fact), from = dropped ?? stage.box(source);
  const hidden = source === `h${fact.seat}` && !seen.cards;
  const places = laidOut(stage, fact.seat) ? handBoxes(stage, fact.seat) : [];
  stage.draw(next); // measured, never painted: where the card will lie
  const to = stage.box(target);
  stage.draw(lifted(seen, fact));
  if (source.includes("h")) closeUp(stage, fact.seat, places, Number(source.split(".")[1]));
  await stage.fly(fact.card, from, to, { turns: hidden && "up" });
  stage.draw(next);
}

const handBoxes = (stage, seat) =>
  [...stage.root.querySelectorAll(`[data-place^="h${seat}."]`)].map((element) => element.getBoundingClientRect());

// The cards of a hand close up where one has left it.
function closeUp(stage, seat, before, gone) {
  for (const [index, element] of stage.root.querySelectorAll(`[data-place^="h${seat}."]`).entries()) {
    const was = before[index < gone ? index : index + 1], shift = was ? was.left - element.getBoundingClientRect().left : 0;
    if (shift) stage.play(element, [{ transform: `translateX(${shift}px)` }, { transform: "none" }], TURN);
  }
}

// The cards of a hand as they are seen: each in its place, or spread in one.
const handCards = (stage, seat) => [
  ...stage.root.querySelectorAll(`[data-place^="h${seat}."] .card, [data-place="h${seat}"] .spread .card`),
];

async function turned(stage, place) {
  const card = stage.top(place);
  if (card) await stage.play(card, [{ transform: "rotateY(90deg)" }, { transform: "none" }], TURN);
}

async function swept(stage, seen, fact, next) {
  await stage.play(stage.root, [], 2 * REST); // long enough to be seen complete
  const from = stage.box(`c${fact.pile}`), to = stage.box(fact.to);
  stage.draw(lifted(seen, fact));
  const cards = fact.cards.slice(-SWEPT);
  await Promise.all(cards.reverse().map((card, index) => stage.fly(card, from, to, { turns: "down", delay: index * EACH * 0.7 })));
  stage.draw(next);
}

async function recycled(stage, seen, next) {
  const from = stage.box("aside"), to = stage.box("stock");
  stage.draw(next);
  await Promise.all([0, 1, 2].map((index) => stage.fly(null, from, to, { delay: index * EACH })));
}

async function shuffled(stage, place) {
  const box = stage.box(place);
  if (!box) return;
  await Promise.all(
    [-1, 1].map(async (way) => {
      const ghost = stage.ghost(null, box), aside = { transform: `translateX(${way * 34}px) rotate(${way * 4}deg)` };
      for (let times = 0; times < 2; times++) {
        await stage.play(ghost, [{ transform: "none" }, aside, { transform: "none" }], SHUFFLE, { easing: "ease-in-out" });
      }
      ghost.remove();
    }),
  );
}

async function drawn(stage, seen, fact, next) {
  const from = stage.box("stock"), count = fact.count ?? fact.cards.length;
  stage.draw(next);
  const open = fact.cards && (seen.cards || seen.seat === fact.seat), turns = open && "up";
  const cards = handCards(stage, fact.seat).slice(-count);
  await arrive(stage, cards.map((element, index) => ({ element, from, card: open ? fact.cards[index] : null, turns })));
}

async function dealt(stage, next) {
  const from = stage.box("stock");
  stage.draw(next);
  const seats = next.seats.map((_, seat) => seat);
  const payoffs = seats.map((seat) => ({ element: stage.top(`p${seat}`), from, card: null }));
  await arrive(stage, payoffs);
  const hands = seats.map((seat) => {
    const open = next.cards?.hands[seat] ?? (next.seat === seat ? next.hand : null);
    return handCards(stage, seat).map((element, index) => ({ element, from, card: open?.[index] ?? null, turns: open && "up" }));
  });
  const most = Math.max(...hands.map((hand) => hand.length));
  const round = Array.from({ length: most }, (_, index) => hands.map((hand) => hand[index])).flat();
  await Promise.all([...seats.map((seat) => turned(stage, `p${seat}`)), arrive(stage, round.filter(Boolean))]);
}

// Cards fly to the elements that show them, one after the other; each is seen there from its landing on.
async function arrive(stage, flights) {
  await Promise.all(
    flights.map(async ({ element, from, card, turns }, index) => {
      if (!element) return;
      const show = stage.hide([element]);
      await stage.fly(card, from, element.getBoundingClientRect(), { turns, delay: index * EACH });
      show();
    }),
  );
}
