/** Names a call in a few words. */
import type { JsonObject } from "./json.ts";
import { visibleLine } from "./plain-text.ts";

const maxSubjectChars = 60;

/** Returns the tool and its subject: ``edit_file src/a.ts``, ``bash `npm test` ``; the subject is its command, path or first text. */
export function callWords(name: string, args: JsonObject): string {
  const { command, path } = args;
  const [subject = ""] = [command, path, ...Object.values(args)].filter((one) => typeof one === "string");
  const line = visibleLine(subject.slice(0, maxSubjectChars * 4)).trim();
  const short = line.length > maxSubjectChars ? `${line.slice(0, maxSubjectChars - 1)}…` : line;
  if (short === "") return name;
  return `${name} ${typeof command === "string" ? `\`${short}\`` : short}`;
}
