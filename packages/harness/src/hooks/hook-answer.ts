/** What a hook program said: by how it ended and what it wrote. It can say no, and add a word; it can never allow. */
import type { HookEvent } from "@localharness/engine";
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import type { HelperEnd } from "@localharness/tools";

export type HookVerdict =
  | { readonly kind: "passed"; readonly note?: string }
  | { readonly kind: "blocked"; readonly reason: string }
  /** It could not say anything. */
  | { readonly kind: "failed"; readonly problem: string }
  | { readonly kind: "cancelled" };

const blocks = 2;
/** Who wants the person to be asked does not let it run; nobody but the rules can have them asked. */
const noes: readonly string[] = ["block", "deny", "ask"];
const longest = 2_000;

export function hookVerdict({ end, output, errors }: HelperEnd, event: HookEvent): HookVerdict {
  switch (end.kind) {
    case "cancelled":
      return { kind: "cancelled" };
    case "timeout":
      return failed("it took longer than its time limit");
    case "not-started":
      return failed(`it could not be started (${end.code})`);
    case "killed":
      return failed(`it was ended by ${end.signal}`);
    case "exited":
      if (end.code === blocks) return { kind: "blocked", reason: reasonIn(errors, output) };
      if (end.code !== 0) return failed(`it ended with ${end.code}${said(errors)}`);
      return answerIn(output.trim(), event);
  }
}

/** JSON where it begins as an object, text for the model otherwise. A word that would allow means nothing. */
function answerIn(text: string, event: HookEvent): HookVerdict {
  if (!text.startsWith("{")) return passed(text);
  const value = objectIn(text);
  // It may have been a no: cut off, or with a quote too few.
  if (value === undefined) return failed("its answer begins with { and is no JSON object");
  const specific = value["hookSpecificOutput"];
  const inner = specific !== undefined && isJsonObject(specific) ? specific : {};
  const verdicts = [value["decision"], inner["permissionDecision"]];
  // At the end of a turn it says that the turn may end: a no would have it go on.
  const stops = value["continue"] === false && event !== "turn-end";
  if (stops || verdicts.some((word) => typeof word === "string" && noes.includes(word)))
    return {
      kind: "blocked",
      reason: reasonIn(
        ...[value["reason"], inner["permissionDecisionReason"], value["stopReason"]].map(asText),
      ),
    };
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
  return text.length <= longest ? text : `${text.slice(0, longest)} [cut]`;
}
