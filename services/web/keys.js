// How is the table played by keys? Arrows go from place to place as they lie, Enter chooses (it is a button), Escape lets go.

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const middle = (element) => {
  const box = element.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
};

/** Go with an arrow from the place that has the focus to the nearest that way. Answers whether the key was one. */
export function step(root, event) {
  const way = WAYS[event.key], here = document.activeElement;
  if (!way || event.altKey || event.ctrlKey || event.metaKey || !here?.dataset.place) return false;
  const [x, y] = middle(here);
  let best = null, least = Infinity;
  for (const one of root.querySelectorAll("button[data-place]")) {
    const [left, top] = middle(one), along = (left - x) * way[0] + (top - y) * way[1];
    const across = Math.abs((left - x) * way[1]) + Math.abs((top - y) * way[0]);
    const far = along + 2.5 * across;
    if (one !== here && along > 4 && far < least) [best, least] = [one, far];
  }
  best?.focus();
  event.preventDefault(); // the page is not scrolled by what moves among the cards
  return true;
}

/** Put the focus on a place, or where that is gone, on the hand card next to it, or another place that can be chosen. */
export function focusOn(root, place) {
  const button = (name) => root.querySelector(`button[data-place="${name}"]`);
  const [row, index] = place.split(".");
  let found = button(place);
  if (row.startsWith("h")) for (let n = Number(index); !found && n >= 0; n--) found = button(`${row}.${n}`);
  (found ?? root.querySelector("button[data-place]"))?.focus({ preventScroll: true });
}
