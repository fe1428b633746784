// What does this browser keep for its person? Tokens of seats, a name, what was seen at the start of a game, and wishes.
//
// All of it lies in localStorage: two tabs of one browser hold the same seats. Nothing of it is ever part of an address.

const PREFIX = "malice.";
const DEFAULTS = { name: "", language: "", speed: "normal", key: "", game: {} };
export const SPEEDS = { slow: 1.8, normal: 1, fast: 0.45, off: 0 };

function read(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name)) ?? otherwise;
  } catch {
    return otherwise; // storage is forbidden, or holds what is not ours
  }
}

function write(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // a browser that keeps nothing: this tab still has what it needs in `memory`
  }
}

const memory = new Map();

/** A wish: `name`, `language`, `speed` (of `SPEEDS`), `game` and `league` as chosen last, or `key`, an API key for creators. */
export const wish = (name) => memory.get(name) ?? read(`wish.${name}`, DEFAULTS[name]);

export function setWish(name, value) {
  memory.set(name, value);
  write(`wish.${name}`, value);
}

/** How long movements take, as a factor; 0 for none: the wish, or that of the whole system. */
export function pace() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : (SPEEDS[wish("speed")] ?? 1);
}

/** What is kept of a game: `{ token, seat, commitment, entropy, name, since, looked }`, each undefined where there is none. */
export const kept = (game) => read(`game.${game}`, null) ?? memory.get(`game.${game}`) ?? {};

/** Keep more of a game. `since` is when its first word was kept, in milliseconds; `looked`, whether its table has been seen. */
export function keep(game, what) {
  const all = { since: Date.now(), ...kept(game), ...what };
  memory.set(`game.${game}`, all);
  write(`game.${game}`, all);
}

/** Keep nothing of a game any more: one that the service does not know. */
export function forget(game) {
  memory.delete(`game.${game}`);
  try {
    localStorage.removeItem(`${PREFIX}game.${game}`);
  } catch {
    // storage is forbidden: what this tab has in `memory` is all there is
  }
}

/** The ids of the games in which this browser holds a seat, the newest first. */
export function ownGames() {
  const found = new Set([...memory.keys()].filter((name) => name.startsWith("game.")).map((name) => name.slice(5)));
  try {
    for (const name of Object.keys(localStorage)) {
      if (name.startsWith(`${PREFIX}game.`)) found.add(name.slice(PREFIX.length + 5));
    }
  } catch {
    // storage is forbidden: what this tab has in `memory` is all there is
  }
  const own = [...found].map((game) => ({ game, ...kept(game) })).filter(({ token }) => token);
  return own.sort((one, other) => other.since - one.since).map(({ game }) => game);
}

/** Does this browser keep anything at all? Where it does not, a seat is lost with its tab. */
export function keeps() {
  try {
    localStorage.setItem(`${PREFIX}kept`, "");
    localStorage.removeItem(`${PREFIX}kept`);
    return true;
  } catch {
    return false; // storage is forbidden, or full
  }
}
