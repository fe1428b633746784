// How were the cards shuffled? Section 4 of the public contract, computed here by the browser's own cryptography.
//
// Written from the contract's text alone, not from the service's code: two programs that agree are better than one.

const WORDS = 2 ** 32;
const RANKS = "A23456789TJQK*", SUITS = "cdhs*";
const utf8 = new TextEncoder();

/** Can this browser compute hashes here? Only over https, or from this very machine. */
export const canCheck = () => Boolean(globalThis.crypto?.subtle);

/** Bytes as hex digits. */
export const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** The SHA-256 of bytes, as hex digits. */
export const sha256 = async (bytes) => hex(await crypto.subtle.digest("SHA-256", bytes));

/** 64 bytes from 128 hex digits; null of any other text. */
export function seedBytes(text) {
  return /^[0-9a-f]{128}$/.test(text) ? Uint8Array.from(text.match(/../g), (byte) => parseInt(byte, 16)) : null;
}

/** What all shuffles of a game are drawn from: the seed, mixed with the seats' entropies in seat order ("" for none). */
export const gameKey = async (seed, entropies) => keyOf(await hmac(await keyOf(seed), entropies.join("\n")));

const keyOf = (bytes) => crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-512" }, false, ["sign"]);
const hmac = (key, message) => crypto.subtle.sign("HMAC", key, utf8.encode(message));

/** Shuffle `number` of these cards: a pile, bottom first. The order they come in makes no difference. */
export const shuffled = (key, number, cards) => permuted(key, number, inOrder(cards));

/** Shuffle `number` of items that are in their order already. */
export async function permuted(key, number, items) {
  const pile = [...items], words = wordsOf(key, number);
  for (let last = pile.length - 1; last > 0; last--) {
    const other = await below(last + 1, words);
    [pile[last], pile[other]] = [pile[other], pile[last]];
  }
  return pile;
}

async function below(limit, words) {
  const fair = Math.floor(WORDS / limit) * limit;
  for (;;) {
    const word = await words();
    if (word < fair) return word % limit;
  }
}

function wordsOf(key, number) {
  let block = 0, bytes = new DataView(new ArrayBuffer(0)), at = 0;
  return async () => {
    if (at === bytes.byteLength) {
      bytes = new DataView(await hmac(key, `shuffle:${number}:${block++}`));
      at = 0;
    }
    at += 4;
    return bytes.getUint32(at - 4); // big-endian
  };
}

/** By rank A to K, then suit c d h s; jokers last. */
export const inOrder = (cards) => [...cards].sort((one, other) => place(one) - place(other));
const place = (card) => 4 * RANKS.indexOf(card[0]) + SUITS.indexOf(card[1]);

/** A card's rank from 1 to 13; a joker counts 14. */
export const height = (card) => RANKS.indexOf(card[0]) + 1;

/** All cards of a game with so many packs and jokers. */
export function pack({ decks, jokers }) {
  const one = [...RANKS.slice(0, 13)].flatMap((rank) => [...SUITS.slice(0, 4)].map((suit) => rank + suit));
  return [...Array.from({ length: decks }, () => one).flat(), ...Array(jokers).fill("**")];
}
