/** Collects every text into which a secret could leak. */
import type { Observation } from "../observation.ts";
import { canaries, textsBelow } from "../place.ts";

export interface Trace {
  readonly name: string;
  readonly text: string;
}

/** Returns the texts that the model and the person got, and the program's own files. */
export function allTexts(seen: Observation): Trace[] {
  return [
    ...seen.results.map(({ text }) => ({ name: "a result", text })),
    { name: "the screen", text: seen.screen },
    { name: "the error stream", text: seen.errors },
    ...ownFiles(seen),
  ];
}

/** A sentence of the system prompt, which every session file contains. */
const ownWords = "Paths are relative to it; nothing outside can be reached.";

/**
 * Returns the program's own files: settings, logs, sessions. Leaves out the contents of the workspace's files that are kept for
 * undo, which no command can read.
 */
export function ownFiles(seen: Observation): Trace[] {
  const own = /\/(\.config|\.local)\/.*localharness(?!\/snapshots\/)/;
  return textsBelow(seen.place.home)
    .filter(({ path }) => own.test(path))
    .map(({ path, text }) => ({
      name: path.slice(seen.place.root.length + 1),
      text: text.replaceAll(ownWords, ""),
    }));
}

/** Returns the places into which the key of the model's server leaked. */
export function keyLeaks(seen: Observation): string[] {
  return allTexts(seen)
    .filter(({ text }) => text.includes(canaries.apiKey))
    .map(({ name }) => name);
}
