// Is a log true? Its form, its hash chain, the promised seed, and with the seed every shuffle and every card: sections 3 and 4
// of the public contract, judged by this browser without the service.
//
// A commit is judged at a time, and hashing gives way to whatever else the page has to do: a long game freezes nothing.

import { Facts, must, Wrong } from "./facts.js";
import { seedBytes, sha256 } from "./shuffle.js";

/** What is checked, in the order of telling. */
export const CHECKS = ["form", "chain", "seed", "promise", "entropy", "deal", "starter", "shuffles", "draws", "cards"];

const FIELDS = {
  head: "complete format game",
  commit: "at by events hash key version",
  GameCreated: "commitment forked_from game match rules seats type",
  SeatTaken: "entropy name seat type",
  PositionSet: "aside hands passes payoffs piles resigned seat sides stock turn type",
  CardsDealt: "hands payoffs stock type",
  PayoffsReshuffled: "payoffs type",
  TurnStarted: "seat turn type",
  CardsDrawn: "cards seat type",
  CardPlayed: "card owner pile rank seat side source turned type",
  PileCompleted: "cards pile to type",
  StockShuffled: "returned stock type",
  CardDiscarded: "card seat side type",
  TurnPassed: "seat type",
  SeatResigned: "seat type",
  ClockExpired: "seat type",
  SeatForfeited: "cause seat type",
  GameEnded: "points reason result seed type winners",
};
const utf8 = new TextEncoder();

/**
 * Judge a log file, given as bytes. `game` is the id that its head must name, `commitment` the promise that was seen before the
 * end, `seat` and `entropy` what one added oneself; what is undefined is not asked.
 *
 * `{ ok, checks: [{ name, ok, detail }], version, versions, joined, names, start }`: a check's `ok` is null where there is nothing
 * to check, or where it was not come to; `version` is the lowest that is wrong (0 for the head), else null; `joined` are the seats
 * that added to the chance after the promise. Never throws for what the file holds.
 */
export async function verifyLog(file, known = {}) {
  const verdict = { version: null, versions: 0, joined: [], names: [], start: null };
  const told = new Map(); // check → { ok, detail }
  let facts = null;
  try {
    const lines = linesOf(file);
    const head = read(lines.shift(), FIELDS.head);
    must(head.format === "malice-log/1" && (known.game ?? head.game) === head.game, "form");
    must(head.complete === true, "form");
    const seed = lastOf(lines)?.seed;
    let before = "0".repeat(64), last = null;
    for (const line of lines) {
      const version = (verdict.version = verdict.versions + 1);
      const commit = read(line, FIELDS.commit);
      must(commit.events.length > 0, "form");
      must(commit.version === version, "chain");
      before = await linked(before, commit);
      if (version === 1) {
        const { commitment } = commit.events[0];
        must((known.commitment ?? commitment) === commitment, "promise");
        if (await keeps(seed, commitment)) facts = new Facts(seed);
      }
      for (const event of commit.events) await facts?.take(event, version);
      facts?.settled();
      last = commit.events.at(-1);
      verdict.versions = version;
    }
    verdict.version = verdict.versions + 1;
    must(last?.type === "GameEnded", "form");
    verdict.version = verdict.versions;
    must(facts, "seed");
    facts.count();
    verdict.version = facts.sat[known.seat];
    must(known.entropy === undefined || facts.entropies[known.seat] === known.entropy, "entropy");
    verdict.version = null;
  } catch (error) {
    const wrong = error instanceof TypeError ? new Wrong("form") : error; // a value of another kind than the contract's
    if (!(wrong instanceof Wrong)) throw error;
    verdict.version ??= 0;
    told.set(wrong.check, { ok: false, detail: { version: verdict.version } });
  }
  const { joined = [], names = [], start = null } = facts ?? {};
  if (told.size === 0) passed(facts, known, verdict.versions).forEach(([name, ok, detail]) => told.set(name, { ok, detail }));
  const checks = CHECKS.map((name) => ({ name, ...(told.get(name) ?? { ok: null, detail: { why: "unreached" } }) }));
  return { ok: verdict.version === null, checks, ...verdict, joined, names, start };
}

function passed({ start, all = [], done }, known, versions) {
  const dealt = start === "dealt" ? true : null, why = start === null ? "undealt" : "placed";
  return [
    ["form", true, { n: versions }],
    ["chain", true, { n: versions }],
    ["seed", true, {}],
    ["promise", known.commitment === undefined ? null : true, { why: "unseen" }],
    ["entropy", known.entropy === undefined ? null : true, { why: "none" }],
    ["deal", dealt, { n: all.length, why }],
    ["starter", dealt, { n: done.ties, why }],
    ["shuffles", true, { n: done.shuffles }],
    ["draws", true, { n: done.draws }],
    ["cards", start === null ? null : true, { n: all.length, why }],
  ];
}

function linesOf(file) {
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(file);
  } catch {
    throw new Wrong("form"); // not UTF-8
  }
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

// A line as JSON: in canonical form, with the contract's fields and no others.
function read(line, fields) {
  let value;
  try {
    value = JSON.parse(line);
    must(canonical(value) === line, "form");
  } catch (error) {
    if (error instanceof Wrong) throw error;
    throw new Wrong("form"); // no JSON, or deeper than anything that is in a log
  }
  must(has(value, fields), "form");
  for (const event of value.events ?? []) must(has(event, FIELDS[event.type]), "form");
  return value;
}

const has = (value, fields) => value !== null && typeof value === "object" && Object.keys(value).sort().join(" ") === fields;

/** The one JSON form of the log file: keys sorted, no spaces, escapes only where JSON needs them. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

// The hash of a commit: of the one before it, and of the commit without its hash.
async function linked(before, { hash, ...body }) {
  must(hash === (await sha256(utf8.encode(before + canonical(body)))), "chain");
  return hash;
}

// What the log's last line ends with. Nothing is judged here: that line has its own turn.
function lastOf(lines) {
  try {
    return JSON.parse(lines.at(-1)).events.at(-1);
  } catch {
    return undefined; // out of form, which is told when its turn comes
  }
}

// Is this text the seed whose hash was promised?
async function keeps(seed, promise) {
  const bytes = typeof seed === "string" ? seedBytes(seed) : null;
  return bytes !== null && (await sha256(bytes)) === promise;
}
