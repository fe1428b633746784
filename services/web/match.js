// How does a match stand, and where is it played on? A match is games to a number of points, each a new deal (R23); a seat holds in all.

import { ask, Away, Problem, wait } from "./api.js";
import { h } from "./dom.js";
import { keep, kept } from "./own.js";
import { number, t } from "./text.js";

const PAUSE = 2; // seconds between two looks, while the next game is waited for

/** Begin a match, and answer with its first game. `body` is that of a game; throws `Problem`. */
export async function newMatch(body, options) {
  const { match } = await ask("/v1/matches", { body, ...options });
  const { games } = await ask(`/v1/matches/${match}`, options);
  return games[0].game;
}

/**
 * Tell `then` how the match of a game stands, at once and, behind the game's end, until there is another to go on with; nothing for a
 * game by itself. `over()` says whether the game has ended. Ends with `signal`.
 */
export async function followMatch(game, { then, over, signal }) {
  try {
    const [{ events }] = (await ask(`/v1/games/${game}/events?limit=1`, { signal })).commits;
    if (events[0].match === null) return;
    for (;;) {
      const match = await ask(`/v1/matches/${encodeURIComponent(events[0].match)}`, { signal });
      then(match);
      if (match.status === "ended" || match.games.at(-1).game !== game) return;
      do await wait(PAUSE);
      while (!over() && !signal.aborted);
    }
  } catch (error) {
    if (!(error instanceof Problem || error instanceof Away || signal.aborted)) throw error;
  }
}

/** How the match stands, and the way to its next game. `who` are the names of its seats. */
export function matchPanel(game, match, who) {
  const next = match.games.at(-1).game, mine = kept(game);
  // The token holds for all games. What is promised of the next one is kept before anybody can see it to its end.
  const goOn = async () => {
    if (!mine.token || kept(next).token) return;
    keep(next, { token: mine.token, seat: mine.seat, name: mine.name });
    keep(next, { commitment: (await ask(`/v1/games/${next}`)).commitment });
  };
  const link = (one, index) => {
    const text = t("match.game", { n: index + 1 });
    return h("li", { key: one.game }, one.game === game ? h("b", {}, text) : h("a", { href: `/games/${one.game}` }, text));
  };
  const running = match.status === "running";
  return h(
    "section",
    { key: "match", class: "panel match", "aria-labelledby": "match-title" },
    h("h2", { id: "match-title" }, t("match.title", { n: match.target })),
    h("p", {}, who.map((name, seat) => `${name} ${number(match.totals[seat])}`).join(" · ")),
    !running && h("p", {}, match.winner === null ? t("match.nobody") : t("match.won", { who: who[match.winner] })),
    running && next !== game && h("a", { class: "button main", href: `/games/${next}`, onclick: goOn }, t("match.next", { n: match.games.length })),
    h("ol", { class: "row games", "aria-label": t("match.games") }, match.games.map(link)),
  );
}
