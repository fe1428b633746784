// In whose language does the page speak? One file of texts a language; the browser's own is taken first, and may be changed.

import { serviceNow } from "./api.js";
import { setWish, wish } from "./own.js";

export const LANGUAGES = { en: "English", it: "Italiano", pt: "Português", es: "Español" };
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const NOTED = "A23456789TJQK";

let texts = {}, plural = null, numbers = null;
export let language = "en";

/** Load the language wished for, the browser's, or English. Done before anything is drawn. */
export async function speak(wanted = wish("language")) {
  const known = [wanted, ...navigator.languages.map((one) => one.slice(0, 2).toLowerCase()), "en"];
  language = known.find((one) => one in LANGUAGES);
  texts = await (await fetch(new URL(`text/${language}.json`, import.meta.url))).json();
  plural = new Intl.PluralRules(language === "pt" ? "pt-PT" : language); // elsewhere than in Portugal none is one
  numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  document.documentElement.lang = language;
}

export async function changeLanguage(wanted) {
  setWish("language", wanted);
  await speak(wanted);
}

/** The text of a name such as `table.stock`, with `{n}` and the like filled in. A text of several forms goes by `n`. */
export function t(name, values = {}) {
  let found = name.split(".").reduce((part, word) => part?.[word], texts);
  if (found && typeof found === "object") found = found[plural.select(values.n)] ?? found.other;
  if (found === undefined) {
    console.error(`there is no text ${name} in ${language}`);
    return name;
  }
  return found.replace(/\{(\w+)\}/g, (_, word) => values[word] ?? `{${word}}`);
}

/** Is there a text of this name? */
export const hasText = (name) => name.split(".").reduce((part, word) => part?.[word], texts) !== undefined;

/** The text of a name, or what else there is to say: where the service knows more than this page. */
export const textOr = (name, otherwise) => (hasText(name) ? t(name) : otherwise);

const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu;
const LEFTWARD = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const NAME = 40; // characters

/**
 * The name of a seat as it can stand in a sentence, null of a free one. A log that was brought in may hold any: what is not seen but
 * moves what stands around it is left out, and what is too long or too high; what is read from right to left keeps to itself.
 */
export function personName(name) {
  if (name == null) return null;
  const signs = [...name.slice(0, 8 * NAME).replace(UNSEEN, "").replace(/(\p{M}{3})\p{M}+/gu, "$1")];
  const short = signs.length > NAME ? `${signs.slice(0, NAME).join("")}…` : signs.join("");
  if (!short.trim()) return "–";
  return LEFTWARD.test(short) ? `\u2068${short}\u2069` : short;
}

/** "Ada, Ben and Eve". */
export const listOf = (names) => new Intl.ListFormat(language).format(names);

export const number = (value) => numbers.format(value);

/** A share from 0 to 1 as "61.3 %", written as in the language. */
export const percent = (value) => new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 }).format(value);

/** `7`, `10`, `K` for a rank from 1 to 13. */
export const rankText = (rank) => RANKS[rank - 1];

/** The rank of a card's text, 1 to 13; null of a joker. */
export const rankOf = (card) => (card === "**" ? null : NOTED.indexOf(card[0]) + 1);

/** A card in words, for whoever hears the page: "seven of hearts". */
export function cardName(card) {
  if (card === "**") return t("cards.joker");
  return t("cards.of", { rank: rankName(rankOf(card)), suit: t(`cards.suits.${card[1]}`) });
}

/** A rank in words: "seven". */
export const rankName = (rank) => t(`cards.ranks.${rank}`);

/** A moment, such as a commit's `at`, as the browser's person reads it. */
export const moment = (at) => new Date(at).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });

/** So many seconds in words: "30 seconds", "2 minutes". */
export function duration(seconds) {
  const [value, unit] = seconds % 60 ? [seconds, "second"] : [seconds / 60, "minute"];
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(value);
}

const STEPS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

/** How long ago a moment of the service was: "3 minutes ago". */
export function ago(at) {
  const seconds = Math.max(0, (serviceNow() - new Date(at)) / 1000);
  const [unit, length] = STEPS.find(([, one]) => seconds >= one) ?? STEPS.at(-1);
  return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(-Math.floor(seconds / length), unit);
}
