/** Lists the languages that the index reads. Files in other languages are left out. */
import { bash } from "./bash.ts";
import { c, cpp } from "./c.ts";
import { csharp } from "./csharp.ts";
import { go } from "./go.ts";
import { java } from "./java.ts";
import { javascript } from "./javascript.ts";
import type { Language } from "./language.ts";
import { php } from "./php.ts";
import { python } from "./python.ts";
import { ruby } from "./ruby.ts";
import { rust } from "./rust.ts";
import { tsx, typescript } from "./typescript.ts";

export const languages: readonly Language[] = [
  typescript,
  tsx,
  javascript,
  python,
  rust,
  go,
  java,
  c,
  cpp,
  csharp,
  ruby,
  php,
  bash,
];

const byExtension = new Map(languages.flatMap((one) => one.extensions.map((ending) => [ending, one])));

/**
 * Returns the language of a file according to the ending of its name; undefined if the index does not read that
 * language.
 */
export function languageOf(path: string): Language | undefined {
  const dot = path.lastIndexOf(".");
  return dot <= path.lastIndexOf("/") ? undefined : byExtension.get(path.slice(dot).toLowerCase());
}
