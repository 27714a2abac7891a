/** Describes in words what the profile of a model says. */
import type { TriedProfile } from "./tried-profile.ts";

const editWords = { text: undefined, lines: "edits by line", file: "whole files" } as const;

/**
 * Returns what `localharness doctor` has found about a model and what is used because of it; undefined if the doctor
 * has not tried the model.
 */
export function profileWords(tried: TriedProfile | undefined): string | undefined {
  if (tried === undefined) return undefined;
  const { tuning, edit = "text", announces } = tried;
  const parts = [
    tuning.toolCalls === "text"
      ? `calls as text${tuning.format === undefined ? "" : ` (${tuning.format})`}`
      : undefined,
    tuning.startsInReasoning === true ? "answers begin in a thought" : undefined,
    tuning.window === undefined ? undefined : `sees ${tuning.window} tokens`,
    editWords[edit],
    announces === true ? "asked to go on" : undefined,
  ].filter((part) => part !== undefined);
  return `tried by the doctor: ${parts.join(", ") || "nothing to set"}`;
}
