/**
 * Checks that every numbered word of the input is in some event, except the losses that `documented-losses.ts` lists.
 */
import type { DetectEvent } from "../../src/index.ts";
import { type Loss, readingOf } from "./documented-losses.ts";
import { wordPattern } from "./seed-values.ts";

/** Returns which words are lost without an explanation; undefined for none. Tells `onAllowed` of each explained loss. */
export function checkWords(
  text: string,
  events: readonly DetectEvent[],
  onAllowed: (reading: string) => void,
): string | undefined {
  const words = [...text.matchAll(wordPattern)];
  if (words.length === 0) return undefined;
  const parts = events.map(keptBy);
  // A raw text may end, and text begin, in the middle of a word.
  const kept = parts.join("");
  if (words.every(([word]) => kept.includes(word))) return undefined;
  const places = words.map(([word]) => placeOf(word, parts, kept));
  // A word that comes several times does not say where it was kept.
  const sure = places.map((place, count) => (isAlone(words, count) ? place : -1));
  const lost: string[] = [];
  for (const [count, found] of words.entries()) {
    if (places[count] !== -1) continue;
    const reading = readingOf(lossOf(text, found, count, sure, events));
    if (reading === undefined) lost.push(found[0]);
    else onAllowed(reading);
  }
  return lost.length === 0 ? undefined : `lost ${lost.join(", ")}`;
}

function isAlone(words: readonly RegExpExecArray[], count: number): boolean {
  return words.every(([word], other) => other === count || word !== words[count]?.[0]);
}

/** Returns the lost word with the events that it can have been a part of: those between its kept neighbours. */
function lossOf(
  text: string,
  found: RegExpExecArray,
  count: number,
  places: readonly number[],
  events: readonly DetectEvent[],
): Loss {
  const first = places.slice(0, count).findLast((place) => place !== -1) ?? 0;
  const last = places.slice(count + 1).find((place) => place !== -1) ?? events.length - 1;
  const start = found.index;
  return {
    word: found[0],
    before: text.slice(0, start),
    after: text.slice(start + found[0].length),
    // Doubled words may come in any order; then all events count.
    near: events.slice(Math.min(first, last), Math.max(first, last) + 1),
  };
}

/** Returns the index of the first event that contains the word; 0 if two events share the word, -1 if none has it. */
function placeOf(word: string, parts: readonly string[], kept: string): number {
  const whole = parts.findIndex((part) => part.includes(word));
  return whole >= 0 || !kept.includes(word) ? whole : 0;
}

/** Returns the text that an event hands on. What is only shown while a call streams in does not count. */
function keptBy(event: DetectEvent): string {
  switch (event.type) {
    case "text-delta":
    case "reasoning-delta":
      return event.text;
    case "restart":
    case "tool-call-start":
    case "tool-call-delta":
      return "";
    case "tool-call-end":
      return `${event.name} ${event.id ?? ""} ${JSON.stringify(event.arguments)}`;
    case "tool-call-error":
      return event.raw;
  }
}
