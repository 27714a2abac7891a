/**
 * Reads audit logs and joins the entries of each call: the call, the decision, the answer, the hooks and the result.
 */
import type { AuditAnswer, AuditCall, AuditEntry, AuditHook, AuditResult } from "@localharness/engine";
import { defined, isJsonObject, type JsonValue } from "@localharness/protocol";
import { readLines } from "../kept-file/read-lines.ts";

export interface AuditedCall extends AuditCall {
  readonly answer?: Pick<AuditAnswer, "answer" | "by" | "note" | "mode" | "offer">;
  /** The answers to what the running call asked about; absent if there were none. */
  readonly asked?: readonly Pick<AuditAnswer, "answer" | "by" | "note" | "offer" | "about">[];
  /** The result; absent if the call still runs, or if the program ended before the call ended. */
  readonly result?: Pick<AuditResult, "success" | "error_type" | "sha256" | "bytes" | "ms">;
  /** The hooks that ran for the call; absent if there were none. */
  readonly hooks?: readonly Pick<AuditHook, "event" | "hook" | "outcome" | "ms">[];
  /**
   * False if the call was denied, invalid or repeated another call of its batch, or if its result is `permission_denied`,
   * whoever gave that result. True for all others, also for a call without a result, and for one that the guard against
   * duplicates or `Tool.foresee` answered without running it.
   */
  readonly ran: boolean;
}

/**
 * Yields the calls in the order of their first entries. `paths` are the files of a log, the oldest first; a missing file is
 * empty. Leaves out hooks at the end of a turn, and entries whose call is not in the files. Skips every line that cannot be
 * read, and calls `unreadable` for it. Throws the system's error if a file cannot be read.
 */
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
  for (const { call, answer, asked, result, hooks } of calls.values()) {
    if (call === undefined) continue;
    const more = defined({ asked, hooks });
    yield { ...call, ...parts(answer, result), ...more, ran: didRun(call, answer, result) };
  }
}

interface Parts {
  call?: AuditCall;
  answer?: AuditAnswer;
  asked?: NonNullable<AuditedCall["asked"]>;
  result?: AuditResult;
  hooks?: readonly Pick<AuditHook, "event" | "hook" | "outcome" | "ms">[];
}

function gather(calls: Map<string, Parts>, entry: AuditEntry): void {
  const key = `${entry.session}\n${entry.call}`;
  const found = calls.get(key) ?? {};
  if (entry.type === "answer" && entry.about !== undefined) {
    const { answer, by, note, offer, about } = entry;
    const one = { answer, by, about, ...defined({ note, offer }) };
    calls.set(key, { ...found, asked: [...(found.asked ?? []), one] });
    return;
  }
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
            ...defined({ note: answer.note, mode: answer.mode, offer: answer.offer }),
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

/**
 * Returns the entry of a line; undefined if the line is not an entry. Checks only `time`, `type`, `session` and `call`,
 * because only this program writes the log.
 */
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
