/** Parses a custom command: a Markdown file that becomes a message, with placeholders for the arguments. */
import { suggestion } from "@localharness/protocol";
import { readFrontMatter } from "../front-matter.ts";
import { maxInstructionBytes } from "../instructions/clean-instructions.ts";

export interface CommandFile {
  readonly name: string;
  /** The description for lists; if the file has none, the beginning of the message. */
  readonly about: string;
  /** A description of the arguments. */
  readonly argumentHint?: string;
  /** The message, with the placeholders `$ARGUMENTS` and `$1` to `$9`. */
  readonly template: string;
}

const keys = ["description", "argument-hint"];
const maxAboutChars = 100;

/** Returns the command, or an error message for an invalid file. */
export function readCommandFile(text: string, fileName: string): CommandFile | string {
  const read = readFrontMatter(text);
  if (!read.ok) return `line ${read.line}: ${read.problem}`;
  const { values, body } = read;
  const foreign = Object.keys(values).find((key) => !keys.includes(key));
  if (foreign !== undefined) return `unknown key "${foreign}".${suggestion(foreign, keys)}`;
  const single = keys.find((key) => Array.isArray(values[key]));
  // A list is allowed for the hint, because hints are usually written in brackets, such as `[file]`.
  if (single === "description") return '"description" expects text';
  const name = fileName.replace(/\.md$/, "");
  if (!/^[a-z0-9][\w-]{0,39}$/i.test(name)) {
    return "the file name expects up to 40 letters, digits, - or _ before .md";
  }
  if (Buffer.byteLength(body) > maxInstructionBytes) return `it has more than ${maxInstructionBytes} bytes`;
  const template = body.trim();
  if (template === "") return "there is no text: expected the message that the command sends";
  const description = values["description"];
  const hint = values["argument-hint"];
  const argumentHint = typeof hint === "string" ? hint : hint?.map((word) => `[${word}]`).join(" ");
  const about = typeof description === "string" && description !== "" ? description : template;
  return {
    name,
    about: (about.split("\n")[0] ?? "").slice(0, maxAboutChars),
    ...(argumentHint === undefined || argumentHint === "" ? {} : { argumentHint }),
    template,
  };
}

/**
 * Returns the message of a command. The arguments are inserted in one pass, so placeholders inside the arguments are not
 * expanded. If the template has no placeholder, the arguments follow it.
 */
export function expandTemplate(template: string, typed: string): string {
  const given = typed.trim();
  const words = wordsOf(given);
  let used = false;
  const filled = template.replace(/\$(ARGUMENTS\b|[1-9](?!\d))/g, (_place, name: string) => {
    used = true;
    return name === "ARGUMENTS" ? given : (words[Number(name) - 1] ?? "");
  });
  return used || given === "" ? filled : `${filled}\n\n${given}`;
}

/** Splits arguments at blanks; a quoted part is one word. */
function wordsOf(typed: string): readonly string[] {
  const found = typed.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g);
  return [...found].map(([, double, single, plain]) => double ?? single ?? plain ?? "");
}
