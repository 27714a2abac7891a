/**
 * Checks texts: every text in the events was in the input, and without markup the whole input comes out unchanged.
 */
import type { DetectEvent, DetectorOptions } from "../../src/index.ts";
import { markup } from "./dictionary.ts";

/** Returns a problem if text and thoughts are no subsequence of the input, or if a raw text is not anywhere in the input. */
export function checkSubsequence(text: string, events: readonly DetectEvent[]): string | undefined {
  let at = 0;
  for (const event of events) {
    if (event.type === "tool-call-error") {
      const found = text.indexOf(event.raw, 0);
      if (found < 0) return `a raw text that is not in the input: ${JSON.stringify(event.raw)}`;
      continue;
    }
    if (event.type !== "text-delta" && event.type !== "reasoning-delta") continue;
    for (let index = 0; index < event.text.length; index += 1) {
      const found = text.indexOf(event.text.charAt(index), at);
      if (found < 0) {
        return `text that is not in the input there: ${JSON.stringify(event.text.slice(index, index + 80))}`;
      }
      at = found + 1;
    }
  }
  return undefined;
}

/** Returns a problem if a text without any opener does not come out as one unchanged text. */
export function checkPlainText(
  text: string,
  options: DetectorOptions,
  events: readonly DetectEvent[],
): string | undefined {
  if (options.startsInReasoning || mayOpen(text, options)) return undefined;
  const [only] = events;
  if (events.length === 0 && text === "") return undefined;
  if (events.length === 1 && only?.type === "text-delta" && only.text === text) return undefined;
  return `a text without any opener does not come out as it went in: ${JSON.stringify(events)}`;
}

function mayOpen(text: string, options: DetectorOptions): boolean {
  if (
    /\]<\]minimax\[>\[<invoke\s|\{\s*["']|\[\s*[{\w.]|(?:Tool(?: [Nn]ame| [Cc]all)?|tool|TOOL|Action|action|Function|function):/.test(
      text,
    )
  )
    return true;
  if (markup.some((literal) => text.includes(literal))) return true;
  return options.tools.some(
    ({ name }) =>
      text.includes(`<${name}`) ||
      text.includes(`< ${name}/>`) ||
      text.split(name).some((after, index) => index > 0 && /^(?:\(|\n|[ \t]*:?[ \t]*[<{[\n])/.test(after)),
  );
}
