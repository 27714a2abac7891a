/** A command as a person writes it: Markdown that becomes a message, with places for what is typed behind its name. */
import { suggestion } from "@localharness/protocol";
import { readFrontMatter } from "../front-matter.ts";
import { longestInstructions } from "../instructions/clean-instructions.ts";

export interface CommandFile {
  readonly name: string;
  /** For lists; the first words of the message where the head says nothing. */
  readonly about: string;
  /** What may be typed behind the name, in words. */
  readonly argumentHint?: string;
  /** The message, with `$ARGUMENTS` and `$1` to `$9`. */
  readonly template: string;
}

const keys = ["description", "argument-hint"];
const longestAbout = 100;

/** The command, or what is wrong with the file. */
export function readCommandFile(text: string, fileName: string): CommandFile | string {
  const read = readFrontMatter(text);
  if (!read.ok) return `line ${read.line}: ${read.problem}`;
  const { values, body } = read;
  const foreign = Object.keys(values).find((key) => !keys.includes(key));
  if (foreign !== undefined) return `unknown key "${foreign}".${suggestion(foreign, keys)}`;
  const single = keys.find((key) => Array.isArray(values[key]));
  // `[file]` is how hints are usually written.
  if (single === "description") return '"description" expects a text';
  const name = fileName.replace(/\.md$/, "");
  if (!/^[a-z0-9][\w-]{0,39}$/i.test(name))
    return "its name expects up to 40 letters, digits, - or _ before .md";
  if (Buffer.byteLength(body) > longestInstructions) return `it has more than ${longestInstructions} bytes`;
  const template = body.trim();
  if (template === "") return "there is no text: it is the message that the command sends";
  const description = values["description"];
  const hint = values["argument-hint"];
  const argumentHint = typeof hint === "string" ? hint : hint?.map((word) => `[${word}]`).join(" ");
  const about = typeof description === "string" && description !== "" ? description : template;
  return {
    name,
    about: (about.split("\n")[0] ?? "").slice(0, longestAbout),
    ...(argumentHint === undefined || argumentHint === "" ? {} : { argumentHint }),
    template,
  };
}

/** The message that a command stands for. What is typed is put in once, and is never looked through for places itself. */
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

/** Parted by blanks; what stands in quotes is one word. */
function wordsOf(typed: string): readonly string[] {
  const found = typed.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g);
  return [...found].map(([, double, single, plain]) => double ?? single ?? plain ?? "");
}
