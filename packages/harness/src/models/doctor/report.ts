/** Writes what the doctor has found as lines for people. */
import { countText } from "@localharness/protocol";
import { samplingWords } from "../model-profiles/profile-words.ts";
import type { MachineCheck } from "./check-machine.ts";
import type { Findings } from "./findings.ts";
import type { TriedModel } from "./try-found.ts";

export function machineLines(checks: readonly MachineCheck[]): readonly string[] {
  return [
    "This machine",
    ...checks.map(({ name, ok, words }) => `  ${ok ? "ok    " : "BROKEN"}  ${name.padEnd(13)}  ${words}`),
  ];
}

export function modelLines(tried: TriedModel): readonly string[] {
  const { model, findings, profile, advice, seconds, sampling } = tried;
  const kept =
    profile === undefined
      ? ["Nothing was saved."]
      : [
          `Saved: from now on every run with ${model} on this server uses this.`,
          `To forget it: localharness doctor --forget ${model}`,
        ];
  return [
    `Model ${model}${tried.address === "" ? "" : ` at ${tried.address}`}`,
    ...(findings.broken === undefined ? rowsOf(findings, samplingWords(sampling)) : []).map(
      ([name, value]) => `  ${name.padEnd(18)}  ${value}`,
    ),
    "",
    "What this means",
    ...advice.map((sentence) => `  - ${sentence}`),
    "",
    `${countText(findings.requests, "request")} in ${seconds.toFixed(1)} s.`,
    ...kept,
  ];
}

function rowsOf(found: Findings, sampling: string): readonly (readonly [string, string])[] {
  const { wrongTypes, edit, toolSet } = found;
  return [
    ["tool calls", callWords(found)],
    ["several at once", found.several === undefined ? untried : found.several ? "yes" : "no"],
    [
      "argument types",
      wrongTypes === undefined
        ? untried
        : wrongTypes.length === 0
          ? "right"
          : `wrong for ${wrongTypes.join(", ")}`,
    ],
    ["edits files by", edit === undefined ? untried : editWords[edit]],
    ["tools at once", toolSet === undefined ? untried : toolWords[toolSet]],
    ["thoughts", thoughtWords[found.thinks]],
    ["says, does nothing", found.announces ? "yes" : "no"],
    ["context window", windowWords(found)],
    ["reads", speed(found.readsPerSecond)],
    ["writes", speed(found.writesPerSecond)],
    ["sampling", sampling],
  ];
}

const untried = "not tried";

function callWords({ calls, format }: Findings): string {
  if (calls === undefined) return "not known: the answer came too late";
  if (calls === "text") return `as text, in the format ${format}`;
  return calls;
}

const editWords: Readonly<Record<NonNullable<Findings["edit"]>, string>> = {
  text: "old and new text",
  lines: "line numbers",
  file: "writing the whole file",
  none: "no way that worked",
};

const toolWords: Readonly<Record<NonNullable<Findings["toolSet"]>, string>> = {
  standard: "the usual ones",
  minimal: "six",
  none: "picked a wrong one even out of six",
};

const thoughtWords: Readonly<Record<Findings["thinks"], string>> = {
  no: "none seen",
  field: "told apart by the server",
  tags: "in its text, between marks",
  opened: "in its text, without a mark where they begin",
};

function windowWords({ window, remembers }: Findings): string {
  if (window !== undefined) return `${window} tokens: longer prompts are cut`;
  return remembers === undefined ? "not known" : `at least ${remembers} tokens`;
}

function speed(perSecond: number | undefined): string {
  return perSecond === undefined ? "not known" : `${perSecond} tokens/s`;
}
