// Which move do two places of the table make? In the notation of the contract, section 1; what is allowed, the view's `legal` says.

/** What a place offers, as the left side of a move: `7h`, `p`, `p@2`, `s1`; null where a move names no such thing. */
function source(view, place) {
  const [kind, seat, index] = parts(place);
  if (kind === "h" && index !== null && seat === view.seat) return view.hand[index] ?? null;
  if (kind === "p") return seat === view.seat ? "p" : `p@${seat}`;
  return kind === "s" && seat === view.seat ? `s${index}` : null;
}

/** A place as `[kind, number, index]`: `s0.1` is `["s", 0, 1]`; stock and aside have no numbers. */
export function parts(place) {
  const found = /^([chps])(\d)(?:\.(\d+))?$/.exec(place);
  return found ? [found[1], Number(found[2]), found[3] === undefined ? null : Number(found[3])] : [place, null, null];
}

/** The move from one place to another, or null where the notation has no text for it. */
export function moveText(view, from, to) {
  const left = source(view, from), [kind, number, index] = parts(to);
  if (left === null) return null;
  if (kind === "c") return `${left}>c${number}`;
  return kind === "s" && number === view.seat && from.startsWith("h") ? `${left}>s${index}` : null;
}

/** The places that a legal move leads to from this one. */
export function targets(view, from) {
  const all = view.piles.map((_, pile) => `c${pile}`);
  if (view.seat !== null) all.push(...view.seats[view.seat].sides.map((_, side) => `s${view.seat}.${side}`));
  return all.filter((to) => view.legal.includes(moveText(view, from, to)));
}

/** The piles that the card of this place may be played to. */
export const plays = (view, from) => targets(view, from).filter((to) => to.startsWith("c"));

/** The card that lies open on top of a place; null for none. */
export function cardAt(view, place) {
  const [kind, number, index] = parts(place);
  if (kind === "c") return view.piles[number].at(-1) ?? null;
  if (kind === "p") return view.seats[number].payoff.top;
  if (kind === "s") return view.seats[number].sides[index].at(-1) ?? null;
  return kind === "h" && number === view.seat && index !== null ? (view.hand[index] ?? null) : null;
}

/** Why no move leads from one place to the other: a name among `table.no` (R15). */
export function hindrance(view, from, to) {
  const [kind, seat] = parts(from), [there] = parts(to);
  if (kind === "c") return "fromCentre";
  if (kind === "stock" || kind === "aside") return "fromStock";
  if (seat !== view.seat) return "others";
  if (there === "p") return "toPayoff";
  if (kind === "s" && there === "s") return "sideToSide";
  return kind === "p" && there === "s" ? "payoffToSide" : "nowhere";
}

/** A move's text as its parts: `{ card, from, to }`, places of this view; null for a pass. */
export function placesOf(view, move) {
  const [left, right] = move.split(">");
  if (right === undefined) return null;
  const mine = view.seat;
  const kinds = { p: `p${left[2] ?? mine}`, s: `s${mine}.${left[1]}` };
  const from = kinds[left[0]] ?? `h${mine}.${view.hand.indexOf(left)}`;
  return { card: cardAt(view, from), from, to: right[0] === "c" ? right : `s${mine}.${right[1]}` };
}
