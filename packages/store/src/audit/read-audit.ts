/** Reads audit logs as calls: what was asked for, what was decided and answered, and what came of it. */
import type { AuditAnswer, AuditCall, AuditEntry, AuditHook, AuditResult } from "@localharness/engine";
import { isJsonObject, type JsonValue } from "@localharness/protocol";
import { readLines } from "../kept-file/read-lines.ts";

export interface AuditedCall extends AuditCall {
  readonly answer?: Pick<AuditAnswer, "answer" | "by" | "note">;
  /** Absent when the program ended before there was one. */
  readonly result?: Pick<AuditResult, "success" | "error_type" | "sha256" | "bytes" | "ms">;
  /** Those of the person's hooks that ran for it; absent when there was none. */
  readonly hooks?: readonly Pick<AuditHook, "event" | "hook" | "outcome" | "ms">[];
  /** False when the call was denied, by a rule or by a person, or could not run. */
  readonly ran: boolean;
}

/** In the order in which they were asked for. A line that cannot be read is told to `unreadable` and left out. */
export async function* readAudit(
  paths: readonly string[],
  unreadable: () => void,
): AsyncGenerator<AuditedCall> {
  const calls = new Map<string, Parts>();
  for (const path of paths) {
    for await (const line of linesOf(path)) {
      if (line === "") continue;
      const entry = readEntry(line);
      if (entry === undefined) unreadable();
      else gather(calls, entry);
    }
  }
  for (const { call, answer, result, hooks } of calls.values()) {
    if (call === undefined) continue;
    const looked = hooks === undefined ? {} : { hooks };
    yield { ...call, ...parts(answer, result), ...looked, ran: didRun(call, answer, result) };
  }
}

interface Parts {
  call?: AuditCall;
  answer?: AuditAnswer;
  result?: AuditResult;
  hooks?: readonly Pick<AuditHook, "event" | "hook" | "outcome" | "ms">[];
}

function gather(calls: Map<string, Parts>, entry: AuditEntry): void {
  const key = `${entry.session}\n${entry.call}`;
  const found = calls.get(key) ?? {};
  if (entry.type !== "hook") {
    calls.set(key, { ...found, [entry.type]: entry });
    return;
  }
  const { event, hook, outcome, ms } = entry;
  calls.set(key, { ...found, hooks: [...(found.hooks ?? []), { event, hook, outcome, ms }] });
}

function parts(answer: AuditAnswer | undefined, result: AuditResult | undefined): Partial<AuditedCall> {
  return {
    ...(answer === undefined
      ? {}
      : {
          answer: {
            answer: answer.answer,
            by: answer.by,
            ...(answer.note === undefined ? {} : { note: answer.note }),
          },
        }),
    ...(result === undefined
      ? {}
      : {
          result: {
            success: result.success,
            error_type: result.error_type,
            sha256: result.sha256,
            bytes: result.bytes,
            ms: result.ms,
          },
        }),
  };
}

function didRun(call: AuditCall, answer: AuditAnswer | undefined, result: AuditResult | undefined): boolean {
  if (call.decision === "deny" || call.decision === "skip" || answer?.answer === "deny") return false;
  return result?.error_type !== "permission_denied";
}

async function* linesOf(path: string): AsyncGenerator<string> {
  try {
    for await (const lines of readLines(path)) for (const { text } of lines) yield text;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
}

/** Lines are written by this program alone, so that their type says what else is in them. */
function readEntry(line: string): AuditEntry | undefined {
  try {
    const value = JSON.parse(line) as JsonValue;
    if (!isJsonObject(value) || typeof value["time"] !== "number") return undefined;
    const { type, session, call } = value;
    const known = type === "call" || type === "answer" || type === "result" || type === "hook";
    return known && typeof session === "string" && typeof call === "string"
      ? (value as unknown as AuditEntry)
      : undefined;
  } catch {
    return undefined;
  }
}
