// How is a card dragged? By pointer events alone: a mouse, a finger or a pen that goes some way while it is down.

import { ghost } from "./cards.js";

const FAR_ENOUGH = 6; // pixels: less is a click

/**
 * Cards of `root` are dragged from place to place. `lift(place)` says whether it may be taken up; `drop(from, to, box)` is told
 * where it was let go, and answers (later) with whether the card stays away.
 */
export function drags(root, { lift, drop }) {
  let down = null, held = null, over = null;

  function pressed(event) {
    if (event.button || !event.isPrimary || down) return;
    const element = event.target.closest("[data-place]");
    const card = [...(element?.querySelectorAll(".card:not(.none)") ?? [])].at(-1);
    if (card) down = { x: event.clientX, y: event.clientY, place: element.dataset.place, card, box: card.getBoundingClientRect() };
  }

  function moved(event) {
    if (!down || !event.isPrimary) return;
    const x = event.clientX - down.x, y = event.clientY - down.y;
    if (!held) {
      if (Math.hypot(x, y) < FAR_ENOUGH) return;
      if (!lift(down.place)) return ended();
      held = carried(down);
      root.classList.add("dragging");
    }
    event.preventDefault();
    held.style.setProperty("transform", `translate(${x}px, ${y}px) rotate(3deg)`);
    aim(placeAt(event));
  }

  function placeAt(event) {
    const found = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-place]");
    return root.contains(found) ? found : null;
  }

  function aim(element) {
    if (element === over) return;
    over?.classList.remove("aimed");
    over = element;
    over?.classList.add("aimed");
  }

  async function released(event) {
    if (!down || !event.isPrimary) return;
    if (!held) return ended();
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }));
    const { place, box } = down, mine = held, to = placeAt(event)?.dataset.place ?? null;
    held = null;
    ended();
    mine.style.setProperty("transform", mine.style.transform.replace("rotate(3deg)", ""));
    const away = to !== null && to !== place && (await drop(place, to, mine.getBoundingClientRect()));
    if (!away) await home(mine, box);
    mine.remove();
  }

  function home(card, box) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return null;
    const here = card.getBoundingClientRect(), from = card.style.transform;
    const to = `${from} translate(${box.left - here.left}px, ${box.top - here.top}px)`;
    const home = card.animate([{ transform: from }, { transform: to }], { duration: 160, easing: "ease-out" });
    return home.finished.catch(() => {}); // ended before its time, with the card
  }

  function ended() {
    held?.remove();
    down = held = null;
    aim(null);
    root.classList.remove("dragging");
  }

  const escaped = (event) => event.key === "Escape" && ended();
  const swallow = (event) => event.stopPropagation();
  const heard = [["pointermove", moved], ["pointerup", released], ["pointercancel", ended], ["keydown", escaped]];
  root.addEventListener("pointerdown", pressed);
  for (const [name, then] of heard) addEventListener(name, then);
  return () => {
    ended();
    root.removeEventListener("pointerdown", pressed);
    for (const [name, then] of heard) removeEventListener(name, then);
  };
}

function carried({ card, box }) {
  const layer = ghost(box), copy = card.cloneNode(true);
  layer.classList.add("held-up");
  copy.removeAttribute("style");
  layer.append(copy);
  return layer;
}
