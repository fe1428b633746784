// How does the page hear what happens? It follows a game's commits from a version on, each once, in order, and comes back by
// itself. Read with fetch: an EventSource can send no token, and a token has no place in an address.

import { ask, connection, pauseAfter, Problem, wait } from "./api.js";

const SILENCE = 40_000; // milliseconds; the service says a word every 15 seconds

/**
 * Follow a game beyond version `after`. `onCommit({version, at, by, events})` for each commit, `onEnd()` behind the last one of an
 * ended game, `onProblem(problem)` when there is no use in trying further. Answers with a function that stops it.
 */
export function follow(game, { after, headers = {}, onCommit, onEnd, onProblem }) {
  let last = after, stopped = false, current = null, wake = () => {};
  const online = () => {
    wake();
    current?.abort(); // what was open before may be dead without knowing it
  };
  addEventListener("online", online);

  async function once() {
    current = new AbortController();
    let silence = 0;
    const heard = () => {
      clearTimeout(silence);
      silence = setTimeout(() => current.abort(), SILENCE);
    };
    heard();
    try {
      const answer = await fetch(`/v1/games/${game}/events`, {
        headers: { ...headers, Accept: "text/event-stream", "Last-Event-ID": String(last) },
        signal: current.signal,
      });
      if (answer.status === 204) return true;
      if (!answer.ok) {
        const told = await answer.json().catch(() => ({})); // a proxy in front answers with what is no JSON
        if (answer.status < 500 && answer.status !== 429) throw new Problem(answer.status, told);
        return false;
      }
      connection.set(true);
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let text = ""; ; ) {
        const { value, done } = await reader.read();
        if (done || stopped) return false;
        heard();
        connection.set(true); // an answer given up meanwhile may have said otherwise
        const messages = (text += value).split("\n\n");
        text = messages.pop();
        for (const message of messages) tell(message);
      }
    } finally {
      clearTimeout(silence);
    }
  }

  function tell(message) {
    const field = Object.fromEntries(message.split("\n").map((line) => line.split(/: ?(.*)/)));
    if (field.event !== "commit") return;
    const commit = JSON.parse(field.data);
    if (commit.version <= last) return;
    last = commit.version;
    onCommit(commit);
  }

  (async () => {
    for (let tries = 0; !stopped; tries++) {
      const before = last;
      try {
        if (await once()) {
          if (!stopped) onEnd?.();
          return;
        }
      } catch (error) {
        if (error instanceof Problem) {
          if (!stopped) onProblem?.(error);
          return;
        }
      }
      if (stopped) return;
      if (last > before) tries = 0;
      else if (tries > 0) connection.set(false);
      await Promise.race([wait(pauseAfter(tries)), new Promise((done) => (wake = done))]);
    }
  })();

  return () => {
    stopped = true;
    removeEventListener("online", online);
    current?.abort();
  };
}

/** Every commit of a game so far, as those `eyes` saw it: a query such as `as=all`, or "". The rest of the options is `ask`'s. */
export async function history(game, { eyes = "", ...options } = {}) {
  const commits = [];
  for (;;) {
    const after = commits.length;
    const page = await ask(`/v1/games/${game}/events?after=${after}&limit=1000${eyes && `&${eyes}`}`, options);
    commits.push(...page.commits);
    if (page.commits.length < 1000) return commits;
  }
}
