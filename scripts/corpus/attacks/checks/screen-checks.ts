/** Checks what a person sees: no untrusted text may control the terminal or be invisible. */
import type { Observation } from "../observation.ts";
import { brief, type Checks, codePoints, numberOf, type Problem, textsOf } from "./check.ts";

export const screenChecks: Checks = {
  tty_no_esc: (seen) => steering(seen.screen),
  tty_ok(seen, expected) {
    const words = ["plain", "green", "text"].filter((word) => !seen.screen.includes(word));
    if (!expected || words.length === 0) return steering(seen.screen);
    return `expected ${words.join(", ")} on the screen`;
  },
  tty_no_codepoints: (seen, expected) => within(seen.screen, "the screen", textsOf(expected, seen)),
  prompt_no_codepoints: inQuestions,
  prompt_not_contains_codepoints: inQuestions,
  prompt_contains(seen, expected) {
    const missing = textsOf(expected, seen).filter(
      (text) => !seen.asked.some((asked) => asked.text.includes(text)),
    );
    return missing.length === 0 ? undefined : `expected ${missing.join(", ")} in the question`;
  },
  max_render_ms(seen, expected) {
    const ms = seen.found["renderMs"];
    if (typeof ms !== "number") return "the time to show the text was not measured";
    return ms <= numberOf(expected)
      ? undefined
      : `expected at most ${expected} ms to show the text, it took ${ms} ms`;
  },
  warning_contains(seen, expected) {
    const missing = textsOf(expected, seen).filter((text) => !`${seen.screen}${seen.errors}`.includes(text));
    return missing.length === 0 ? undefined : `expected a warning with ${missing.join(", ")}`;
  },
  warns: (seen) => (/^!|warning/im.test(seen.screen + seen.errors) ? undefined : "expected a warning"),
};

function inQuestions(seen: Observation, expected: Parameters<Checks[string]>[1]): Problem {
  const ranges = textsOf(expected, seen);
  const texts = seen.asked.flatMap((asked) => [asked.short, asked.text]);
  return texts.map((text) => within(text, "a question", ranges)).find((problem) => problem !== undefined);
}

function within(text: string, where: string, ranges: readonly string[]): Problem {
  const found = codePoints(ranges).exec(text);
  return found === null
    ? undefined
    : `U+${found[0].codePointAt(0)?.toString(16).toUpperCase()} is in ${where}: ${brief(around(text, found.index))}`;
}

const esc = `${String.fromCharCode(27)}\\[`;

/**
 * The control sequences that the chat itself sends, for colours and line editing. Any other control sequence is
 * untrusted.
 */
const own = [
  // Colours.
  new RegExp(`${esc}(0|1|2|31|32|33)m`, "g"),
  // Line editing: move to a column, clear below, move up or right, bracketed paste.
  new RegExp(`${esc}\\d+G`, "g"),
  new RegExp(`${esc}0?J`, "g"),
  new RegExp(`${esc}\\d+[AC]`, "g"),
  new RegExp(`${esc}\\?2004[hl]`, "g"),
  // Line ends of a terminal, and carriage returns of line editing.
  /\r+(?=\n|$)/g,
];

/** Control characters: delete, C1, and C0 without tab and line feed. */
const controls = /(?![\n\t])\p{Cc}/u;

/** Reports a control character on the screen that is not part of the program's own sequences. */
export function steering(screen: string): Problem {
  const left = own.reduce((text, pattern) => text.replace(pattern, ""), screen);
  const found = controls.exec(left);
  if (found === null) return undefined;
  const code = found[0].charCodeAt(0).toString(16).padStart(4, "0").toUpperCase();
  return `U+${code} reached the terminal: ${brief(around(left, found.index))}`;
}

function around(text: string, index: number): string {
  return text.slice(Math.max(0, index - 30), index + 40);
}
