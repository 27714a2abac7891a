/** Every place where something that must stay inside could come out. */
import type { Observation } from "../observation.ts";
import { canaries, textsBelow } from "../place.ts";

export interface Trace {
  readonly name: string;
  readonly text: string;
}

/** What the model, the person and the program's own files have got. */
export function allTexts(seen: Observation): Trace[] {
  return [
    ...seen.results.map(({ text }) => ({ name: "a result", text })),
    { name: "the screen", text: seen.screen },
    { name: "the error stream", text: seen.errors },
    ...ownFiles(seen),
  ];
}

/** The program's own words at the head of each session, which its file holds as well. */
const ownWords = "Paths are relative to it; nothing outside can be reached.";

/** Files of the program itself: settings, logs, sessions. */
export function ownFiles(seen: Observation): Trace[] {
  const own = /\/(\.config|\.local)\/.*localharness/;
  return textsBelow(seen.place.home)
    .filter(({ path }) => own.test(path))
    .map(({ path, text }) => ({
      name: path.slice(seen.place.root.length + 1),
      text: text.replaceAll(ownWords, ""),
    }));
}

/** Where the key of the model's server must never be. */
export function keyLeaks(seen: Observation): string[] {
  return allTexts(seen)
    .filter(({ text }) => text.includes(canaries.apiKey))
    .map(({ name }) => name);
}
