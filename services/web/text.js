// In whose language does the page speak? One file of texts a language; the browser's own is taken first, and may be changed.

import { serviceNow } from "./api.js";
import { setWish, wish } from "./own.js";

export const LANGUAGES = { en: "English", it: "Italiano", pt: "Português", es: "Español" };
const LOCALES = { en: "en-GB", pt: "pt-PT" }; // whose words the texts are; by itself "pt" would be Brazil's, where none is one
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const NOTED = "A23456789TJQK";

let texts = {}, plural = null, numbers = null, percents = null;

/** The language that is spoken, and whose way of writing figures and plurals goes with it. */
export let language = "en", locale = "en-GB";

/** Load the language wished for, the browser's, or English. Done before anything is drawn. */
export async function speak(wanted = wish("language")) {
  const known = [wanted, ...navigator.languages.map((one) => one.slice(0, 2).toLowerCase()), "en"];
  const found = known.find((one) => one in LANGUAGES);
  texts = await (await fetch(new URL(`text/${found}.json`, import.meta.url))).json();
  language = found; // not before its texts are there
  locale = LOCALES[found] ?? found;
  plural = new Intl.PluralRules(locale);
  numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  percents = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
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

/** So many characters the service takes of a name. */
export const NAME = 40;

/**
 * The name of a seat as it can stand in a sentence, null of a free one. A log that was brought in may hold any: what is not seen
 * but moves what stands around it is left out, and what is too long or too high; what is read from right to left keeps to itself.
 */
export function personName(name) {
  if (name == null) return null;
  const signs = [...name.slice(0, 8 * NAME).replace(UNSEEN, "").replace(/(\p{M}{3})\p{M}+/gu, "$1")];
  const short = signs.length > NAME ? `${signs.slice(0, NAME).join("")}…` : signs.join("");
  if (!short.trim()) return "–";
  return LEFTWARD.test(short) ? `\u2068${short}\u2069` : short;
}

/** "Ada, Ben and Eve". */
export const listOf = (names) => new Intl.ListFormat(locale).format(names);

export const number = (value) => numbers.format(value);

/** A share from 0 to 1 as "61.3 %", written as in the language. */
export const percent = (value) => percents.format(value);

/** `7`, `10`, `K` for a rank from 1 to 13. */
export const rankText = (rank) => RANKS[rank - 1];

/** The rank of a card's text, 1 to 13; null of a joker. */
export const rankOf = (card) => (card === "**" ? null : NOTED.indexOf(card[0]) + 1);

/** A card in words, for whoever hears the page: "seven of hearts". */
export const cardName = (card) => (card === "**" ? t("cards.joker") : ofSuit(card, t(`cards.ranks.${rankOf(card)}`)));

/** A card as sentences speak of it: "the seven of hearts". */
export const theCard = (card) => (card === "**" ? t("cards.theJoker") : ofSuit(card, t(`cards.the.${rankOf(card)}`)));

const ofSuit = (card, rank) => t("cards.of", { rank, suit: t(`cards.suits.${card[1]}`) });

/** A rank in words: "a seven". */
export const aRank = (rank) => t(`cards.a.${rank}`);

/** A sentence begins with a capital, and so does a name. */
export const sentence = (text) => text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);

/** So many seconds in words: "30 seconds", "2 minutes". */
export function duration(seconds) {
  const [value, unit] = seconds % 60 ? [seconds, "second"] : [seconds / 60, "minute"];
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(value);
}

const STEPS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

/** How long ago a moment of the service was: "3 minutes ago". */
export function ago(at) {
  const seconds = Math.max(0, (serviceNow() - new Date(at)) / 1000);
  const [unit, length] = STEPS.find(([, one]) => seconds >= one) ?? STEPS.at(-1);
  return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(-Math.floor(seconds / length), unit);
}
