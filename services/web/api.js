// How does the page ask the service? `ask` for an answer, with patience: what was lost is asked again under one key.

import { kept, wish } from "./own.js";

/** What `ask` throws where nothing is wrong with the page itself: whoever asks tells it. Anything else is to be thrown on. */
export class Failure extends Error {}

/** An answer that is no success: `status`, and `code`, `message` (the detail), `reason`, `legal`, `version` (RFC 9457). */
export class Problem extends Failure {
  constructor(status, told) {
    super(told.detail ?? `HTTP ${status}`);
    Object.assign(this, { status, code: told.code ?? "internal", reason: told.reason, legal: told.legal });
    this.version = told.version;
  }
}

/** The service was not reached, and will not be waited for any longer. */
export class Away extends Failure {}

/** The service's own time in milliseconds: an answer's Date is at the most as late as the answer, so the latest one tells best. */
export const serviceNow = () => Date.now() + (Number.isFinite(ahead) ? ahead : 0);
let ahead = -Infinity;
const noteDate = (answer) => {
  const date = Date.parse(answer.headers.get("Date"));
  if (date) ahead = Math.max(ahead, date - Date.now());
};

export const wait = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

const PAUSES = [0.3, 0.6, 1.2, 2.4, 4];

/** How many seconds to wait after so many tries in vain. */
export const pauseAfter = (tries) => PAUSES[Math.min(tries, PAUSES.length - 1)];

/** Told whether the service is reached, when that changes: `addEventListener("change", …)`, `reached`. */
export const connection = new (class extends EventTarget {
  reached = true;
  set(reached) {
    if (reached === this.reached) return;
    this.reached = reached;
    this.dispatchEvent(new Event("change"));
  }
})();

/** Who asks: the seat that this browser holds in a game, or whoever may create games. */
export const asSeat = (game) => (kept(game).token ? { Authorization: `Bearer ${kept(game).token}` } : {});
export const asCreator = () => (wish("key") ? { Authorization: `Bearer ${bytesOf(wish("key"))}` } : {});
const bytesOf = (text) => String.fromCharCode(...new TextEncoder().encode(text)); // all that fetch takes in a header

/**
 * The answer as JSON, or as text where it is none, or as it came where `bytes` are asked for. With `body` a POST, under an
 * Idempotency-Key of its own; `seen` is the version judged on. Throws `Problem`, and `Away` after `patience` tries in vain.
 */
export async function ask(path, { method, body, headers = {}, seen, signal, bytes = false, patience = PAUSES.length } = {}) {
  const asked = { method: method ?? (body === undefined ? "GET" : "POST"), headers: { ...headers }, signal };
  if (asked.method === "POST") asked.headers["Idempotency-Key"] = crypto.randomUUID?.() ?? randomHex(16);
  if (body !== undefined) {
    asked.headers["Content-Type"] = "application/json";
    asked.body = JSON.stringify(body);
  }
  if (seen !== undefined) asked.headers["If-Match"] = `"${seen}"`;
  for (let tries = 0; ; tries++) {
    let pause = pauseAfter(tries), busy = false;
    try {
      const answer = await fetch(path, asked);
      noteDate(answer);
      if (answer.ok) {
        const json = answer.headers.get("Content-Type")?.includes("application/json");
        const told = await (bytes ? answer.arrayBuffer() : json ? answer.json() : answer.text());
        connection.set(true);
        return told;
      }
      const told = await answer.json().catch(() => ({})); // a proxy in front answers with what is no JSON
      if (![429, 502, 503, 504].includes(answer.status)) {
        connection.set(true);
        throw new Problem(answer.status, told);
      }
      busy = answer.status === 429; // it is reached, and wants to be left alone
      pause = Math.max(pause, Number(answer.headers.get("Retry-After")) || 0);
    } catch (error) {
      if (error instanceof Problem || error.name === "AbortError") throw error;
    }
    connection.set(busy);
    if (tries >= patience) throw new Away(path);
    await wait(pause);
  }
}

/** So many random bytes as hex digits: what a seat adds to the shuffle, where nothing else is given. */
export function randomHex(bytes) {
  return [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
