/** Reads a case in pieces, split in many ways, and compares the events with those of the whole text. */
import { isDeepStrictEqual } from "node:util";
import { createDetector, type DetectEvent, mergeDeltas } from "@localharness/detect";
import { type Case, optionsOf } from "./case.ts";

/** A text with more UTF-16 units is not split at every index. */
const everyIndexLimit = 2000;

/** Returns the splits that give other events than the whole text; empty when all agree. */
export function differingSplits(one: Case, whole: readonly DetectEvent[]): string[] {
  const differing: string[] = [];
  for (const [name, pieces] of cuts(one)) {
    if (!isDeepStrictEqual(read(one, pieces), whole)) differing.push(name);
  }
  return differing;
}

function* cuts(one: Case): Generator<[string, readonly string[]]> {
  if (one.chunks && one.chunks.join("") === one.text) yield ["own chunks", one.chunks];
  yield ["one character at a time", one.text.split("")];
  if (one.text.length > everyIndexLimit) return;
  for (let index = 1; index < one.text.length; index += 1) {
    yield [`split at ${index}`, [one.text.slice(0, index), one.text.slice(index)]];
  }
}

function read(one: Case, pieces: readonly string[]): DetectEvent[] {
  const detector = createDetector(optionsOf(one));
  const events: DetectEvent[] = [];
  for (const piece of pieces) events.push(...detector.push(piece));
  events.push(...detector.end());
  return mergeDeltas(events);
}
