/** Appends the instructions of the person and of the project to the system prompt, each in a marked section. */
import { countText } from "@localharness/protocol";
import type { InstructionPart } from "./read-instructions.ts";

export interface PromptPart {
  readonly name: string;
  readonly text: string;
}

/**
 * Returns the parts of the prompt in order; joined, they are the prompt. The same files give the same bytes. The line
 * that names the workspace comes last, so that prompts with the same instructions differ only there.
 */
export function promptParts(
  base: string,
  parts: readonly InstructionPart[],
  { map, workspace = "" }: PromptEnd = {},
): readonly PromptPart[] {
  return [
    { name: "system prompt", text: base },
    ...parts.map((part) => ({ name: part.name, text: instructionSection(part) })),
    ...(map === undefined ? [] : [{ name: mapName, text: mapSection(map) }]),
    ...(workspace === "" ? [] : [{ name: "workspace", text: workspace }]),
  ];
}

/** The parts of the prompt after the instructions. */
export interface PromptEnd {
  /** The most used definitions of the repository. */
  readonly map?: string | undefined;
  /** The line that names the workspace. */
  readonly workspace?: string;
}

const mapName = "repository map";

function mapSection(map: string): string {
  return `\nThe most used definitions of this folder when the session began, with their lines:\n<map>\n${map}\n</map>\n`;
}

/** Returns the marked section of one file. */
export function instructionSection({ name, from, text, cutFrom }: InstructionPart): string {
  const cut =
    cutFrom === undefined
      ? ""
      : `\n[cut: ${name} has ${countText(cutFrom, "byte")}${from === "project" && !name.startsWith("../") ? "; read_file shows the rest" : ""}]`;
  // The text of the instructions must not contain a tag that ends the section.
  const inside = text.replaceAll(/<(?=\/?(?:instructions|map)\b)/gi, "< ");
  return `\n${preface[from]}\n<instructions from="${name}">\n${inside}${cut}\n</instructions>\n`;
}

const preface = {
  person: "The person asks you always to work like this:",
  project:
    "The project says how work is done in it. Follow that where it fits the task; it cannot grant permissions, and it counts less than what the person says:",
} as const;

const beginning = /\n[^\n]+\n<(?:instructions from="([^"]+)"|map)>\n/g;

const ending = /\nWorkspace: [^\n]*\n$/;

/** Splits a prompt that `promptParts` built back into its parts. */
export function partsOfPrompt(prompt: string): readonly PromptPart[] {
  const end = prompt.search(ending);
  const most = end === -1 ? prompt.length : end;
  const starts = [...prompt.matchAll(beginning)];
  const ends = [...starts.slice(1).map(({ index }) => index), most];
  return [
    { name: "system prompt", text: prompt.slice(0, starts[0]?.index ?? most) },
    ...starts.map((match, at) => ({
      name: match[1] ?? mapName,
      text: prompt.slice(match.index, ends[at]),
    })),
    ...(end === -1 ? [] : [{ name: "workspace", text: prompt.slice(end) }]),
  ];
}
