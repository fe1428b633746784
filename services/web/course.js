// Which version of a game is on the screen? One after the other: each commit is told and moved, then the service's own view of
// it is shown. Who has fallen far behind goes to the newest view at once.

import { ask, wait } from "./api.js";
import { follow } from "./feed.js";
import { pace } from "./own.js";

const FAR = 20; // commits behind: more than this is not caught up with, but left out
const HASTE = [[12, 0.25], [6, 0.5]]; // so many behind, movements take so much of their time
const BREATH = 0.08; // seconds between two looks at the newest view

/**
 * Follow a game on from a view. `headers` say who asks; `show(view)` draws a view of the service; `move(view, commit, pace,
 * signal)` shows a commit on the view before it; `tell(commit)` says it in words; `fail(problem)` is told why nothing more comes.
 * `add(commit)` takes an own move's answer, with its `view`; `busy` says whether something is still to be shown.
 */
export function course(game, view, { headers, show, move, tell, fail }) {
  const queue = [], leaving = new AbortController();
  let shown = view, heard = view.version, running = false, closed = false, stopping = new AbortController();

  function add(commit) {
    if (closed || commit.version !== heard + 1) return; // an own move is heard twice: as its answer, and as everybody does
    heard = commit.version;
    queue.push(commit);
    if (!running) run();
  }

  async function run() {
    running = true;
    show(shown); // nothing can be chosen from now on
    try {
      while (queue.length) {
        if (queue[0].version <= shown.version) tell(queue.shift());
        else if (queue.length > FAR || document.hidden || pace() === 0) await leap();
        else await step(queue[0]);
        if (closed) return;
      }
    } catch (error) {
      if (closed) return;
      close();
      fail(error);
      return;
    }
    running = false;
    show(shown);
  }

  // The view of a version, or the newest one: waited for as long as the service is away.
  const look = (at = "") => ask(`/v1/games/${game}${at}`, { headers, patience: Infinity, signal: leaving.signal });

  async function step(commit) {
    const coming = commit.view ? Promise.resolve(commit.view) : look(`?at=${commit.version}`);
    coming.catch(() => {}); // it is awaited after the movement
    tell(commit);
    const [, haste] = HASTE.find(([behind]) => queue.length > behind) ?? [0, 1];
    await move(shown, commit, pace() * haste, stopping.signal);
    shown = await coming;
    queue.shift();
    if (queue.length && !closed) show(shown);
  }

  async function leap() {
    const next = queue.at(-1).view ?? (await look());
    if (next.version > shown.version) shown = next; // a store that has lost its end is the feed's to tell
    while (queue.length && queue[0].version <= shown.version) tell(queue.shift());
    if (closed) return;
    show(shown);
    await wait(BREATH);
  }

  function close() {
    closed = true;
    stop();
    stopping.abort();
    leaving.abort();
    document.removeEventListener("visibilitychange", hurry);
  }

  function hurry() {
    if (!document.hidden) return;
    stopping.abort();
    stopping = new AbortController();
  }

  document.addEventListener("visibilitychange", hurry);
  const stop = follow(game, { after: view.version, headers, onCommit: add, onProblem: fail });
  return {
    add,
    close,
    get busy() {
      return running;
    },
    get shown() {
      return shown;
    },
  };
}
