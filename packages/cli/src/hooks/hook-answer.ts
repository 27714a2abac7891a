/** What a hook program said: by how it ended and what it wrote. It can say no, and add a word; it can never allow. */
import { isJsonObject, type JsonValue } from "@localharness/protocol";
import type { HelperEnd } from "@localharness/tools";

export type HookVerdict =
  | { readonly kind: "passed"; readonly note?: string }
  | { readonly kind: "blocked"; readonly reason: string }
  /** It could not say anything. */
  | { readonly kind: "failed"; readonly problem: string }
  | { readonly kind: "cancelled" };

const blocks = 2;
const longest = 2_000;

export function hookVerdict({ end, output, errors }: HelperEnd): HookVerdict {
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
      return answerIn(output);
  }
}

/** JSON where it is an object, text for the model otherwise. A word that would allow means nothing. */
function answerIn(output: string): HookVerdict {
  const text = output.trim();
  const value = objectIn(text);
  if (value === undefined) return text === "" ? { kind: "passed" } : { kind: "passed", note: cut(text) };
  const { decision, reason, note } = value;
  if (decision === "block" || decision === "deny")
    return { kind: "blocked", reason: reasonIn(typeof reason === "string" ? reason : "", "") };
  return typeof note === "string" && note.trim() !== ""
    ? { kind: "passed", note: cut(note.trim()) }
    : { kind: "passed" };
}

function objectIn(text: string) {
  if (!text.startsWith("{")) return undefined;
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
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
