/** Reads a hook program's verdict from its exit code and its output. A hook can block and add a note; it can never allow. */
import type { HookEvent } from "@localharness/engine";
import type { HelperEnd } from "@localharness/processes/helpers/run-helper";
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";

export type HookVerdict =
  | { readonly kind: "passed"; readonly note?: string }
  | { readonly kind: "blocked"; readonly reason: string }
  /** The hook gave no valid verdict. */
  | { readonly kind: "failed"; readonly problem: string }
  /** The hook could not be started, or its interpreter or a program that it needs was not found. */
  | { readonly kind: "absent"; readonly problem: string }
  | { readonly kind: "cancelled" };

/** The exit code with which a hook blocks. */
const blockExitCode = 2;
/** The exit codes with which a shell says that a program was not found or could not be executed. */
const absentExitCodes: readonly number[] = [126, 127];
/** The decisions that block. `ask` also blocks, because only rules can make the harness ask the person. */
const blockingWords: readonly string[] = ["block", "deny", "ask"];
const maxNoteChars = 2_000;

/** Returns the verdict of a hook program that has ended. */
export function hookVerdict({ end, output, errors }: HelperEnd, event: HookEvent): HookVerdict {
  switch (end.kind) {
    case "cancelled":
      return { kind: "cancelled" };
    case "timeout":
      return failed("it took longer than its time limit");
    case "not-started":
      return { kind: "absent", problem: `it could not be started (${end.code})` };
    case "killed":
      return failed(`it was ended by ${end.signal}`);
    case "exited":
      if (end.code === blockExitCode) return { kind: "blocked", reason: reasonIn(errors, output) };
      if (absentExitCodes.includes(end.code)) {
        return { kind: "absent", problem: `it ended with ${end.code}${said(errors)}` };
      }
      if (end.code !== 0) return failed(`it ended with ${end.code}${said(errors)}`);
      return answerIn(output.trim(), event);
  }
}

/**
 * Reads the output of a hook: JSON if it begins with `{`, otherwise a note for the model. A decision to allow has no
 * effect.
 */
function answerIn(text: string, event: HookEvent): HookVerdict {
  if (!text.startsWith("{")) return passed(text);
  const value = objectIn(text);
  // A damaged answer may have been meant to block, so it counts as a failure.
  if (value === undefined) return failed("its answer begins with { but is not a JSON object");
  const specific = value["hookSpecificOutput"];
  const inner = specific !== undefined && isJsonObject(specific) ? specific : {};
  const verdicts = [value["decision"], inner["permissionDecision"]];
  // At the end of a turn, `continue: false` lets the turn end. A block would make the turn continue.
  const stops = value["continue"] === false && event !== "turn-end";
  if (stops || verdicts.some((word) => typeof word === "string" && blockingWords.includes(word))) {
    return {
      kind: "blocked",
      reason: reasonIn(
        ...[value["reason"], inner["permissionDecisionReason"], value["stopReason"]].map(asText),
      ),
    };
  }
  return passed([value["note"], inner["additionalContext"]].map(asText).join("\n").trim());
}

function passed(note: string): HookVerdict {
  return note === "" ? { kind: "passed" } : { kind: "passed", note: cut(note) };
}

function objectIn(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function asText(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function reasonIn(...texts: readonly string[]): string {
  return cut(texts.map((text) => text.trim()).find((text) => text !== "") ?? "it gave no reason");
}

function failed(problem: string): HookVerdict {
  return { kind: "failed", problem };
}

function said(errors: string): string {
  const [line = ""] = errors.trim().split("\n");
  return line === "" ? "" : `: ${line.slice(0, 200)}`;
}

function cut(text: string): string {
  return text.length <= maxNoteChars ? text : `${text.slice(0, maxNoteChars)} [cut]`;
}
