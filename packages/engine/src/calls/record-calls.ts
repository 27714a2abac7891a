/** Writes the calls of a session to the audit log, in order and with known secrets masked. */
import {
  defined,
  isJsonObject,
  type JsonObject,
  type LoopEvent,
  type ToolResult,
} from "@localharness/protocol";
import { argumentsHash, sha256 } from "../arguments/hash.ts";
import type { AuditAnswer, AuditCall, AuditEntry, AuditLog } from "../audit.ts";
import type { Clock } from "../clock.ts";
import type { HookEvent, HookRun } from "../hooks.ts";
import type { CallFacts } from "../policy/facts.ts";
import type { Decision, PolicyQuestion } from "../policy/rule.ts";
import { type Mask, maskValue } from "./mask-text.ts";
import { createOrderedLog } from "./ordered-log.ts";

export type Answered = Omit<AuditAnswer, "type" | "time" | "session" | "call" | "about"> & {
  readonly about?: { readonly tool: string; readonly arguments: JsonObject };
};

export interface CallRecorder {
  decided(call: string, question: PolicyQuestion, decision: Decision): void;
  /** Records a call that the policy never sees. `rule` is the reason. */
  skipped(call: string, tool: string, raw: string | JsonObject, rule: string): void;
  answered(call: string, answered: Answered): void;
  /** Records the hooks that have run for a call; with an empty id, for the end of a turn. */
  hooked(call: string, event: HookEvent, ran: readonly HookRun[]): void;
  /** Records the result of a call. Does nothing if the call itself was not recorded. */
  finished(call: string, result: ToolResult): void;
  /** Resolves once the log has saved all entries about the call; rejects if it could not. */
  kept(call: string): Promise<void>;
  /** Resolves once every entry so far was given to the log, whether it could save the entry or not. */
  handedOver(): Promise<void>;
}

export interface RecorderParts {
  readonly audit: AuditLog | undefined;
  readonly clock: Clock;
  readonly sessionId: string;
  /** The agent that makes the calls; absent for the session's own model. */
  readonly agent?: string;
  readonly mask: Mask;
  /** Called when the log begins to fail, and again only after a success. */
  readonly onFailure: (reason: string) => void;
}

/** Returns the notice that the audit log cannot be written. */
export function auditFailed(reason: string): Extract<LoopEvent, { type: "notice" }> {
  const message = `the audit log cannot be written (${reason}): until it can, nothing that may change something runs`;
  return { type: "notice", level: "warning", code: "audit-failed", message };
}

const maxChars = 2_000;
const noRecorder: CallRecorder = {
  decided: () => undefined,
  skipped: () => undefined,
  answered: () => undefined,
  hooked: () => undefined,
  finished: () => undefined,
  kept: () => Promise.resolve(),
  handedOver: () => Promise.resolve(),
};

/** Returns a recorder. It does nothing if there is no audit log. */
export function createCallRecorder(parts: RecorderParts): CallRecorder {
  const { audit, clock, sessionId: session, mask, onFailure } = parts;
  if (audit === undefined) return noRecorder;
  const { put, handedOver } = createOrderedLog(audit, onFailure);
  const hash = (text: string) => audit.sha256?.(text) ?? sha256(text);
  const open = new Map<string, Promise<void>[]>();

  function add(call: string, make: () => Promise<AuditEntry>): void {
    open.set(call, [...(open.get(call) ?? []), put(make)]);
  }
  function addCall(call: string, entry: CallEntry, args: JsonObject): void {
    const time = clock.now();
    add(call, async () => ({
      type: "call",
      time,
      session,
      call,
      ...defined({ agent: parts.agent }),
      ...entry,
      arguments: maskValue(args, mask, maxChars),
      argumentsHash: await argumentsHash(args, hash),
    }));
  }

  return {
    decided(call, { tool, risk, facts, arguments: args }, { decision, rule }) {
      addCall(call, { tool, risk, decision, rule: mask(rule), ...factsOf(facts, mask) }, args);
    },
    skipped(call, tool, raw, rule) {
      const args = isJsonObject(raw) ? raw : { text: raw };
      addCall(call, { tool: mask(tool).slice(0, 100), decision: "skip", rule }, args);
    },
    answered(call, { note, about, ...answered }) {
      const time = clock.now();
      const subject = about && { ...about, arguments: maskValue(about.arguments, mask, maxChars) };
      const more = defined({ note: note === undefined ? undefined : mask(note), about: subject });
      add(call, async () => ({ type: "answer", time, session, call, ...answered, ...more }));
    },
    hooked(call, event, ran) {
      for (const run of ran) {
        const time = clock.now();
        const make = async (): Promise<AuditEntry> => ({ type: "hook", time, session, call, event, ...run });
        if (call === "") void put(make).catch(() => undefined);
        else add(call, make);
      }
    },
    finished(call, result) {
      if (!open.delete(call)) return;
      const time = clock.now();
      void put(async () => ({
        type: "result",
        time,
        session,
        call,
        ...(await outcomeOf(result, hash)),
      })).catch(() => undefined);
    },
    handedOver,
    kept: async (call) => {
      await Promise.all(open.get(call) ?? []);
    },
  };
}

type CallEntry = Omit<AuditCall, "type" | "time" | "session" | "call" | "arguments" | "argumentsHash">;

async function outcomeOf(
  { success, error_type, data, metadata }: ToolResult,
  hash: (text: string) => string | Promise<string>,
) {
  return {
    success,
    error_type,
    sha256: data === null ? null : await hash(data),
    bytes: metadata.data_size_bytes,
    ms: metadata.execution_time_ms,
  };
}

function factsOf({ paths, concerns }: CallFacts, mask: Mask): Pick<AuditCall, "paths" | "concerns"> {
  const touched = paths?.map((one) => ({ ...one, path: mask(one.path) }));
  return {
    ...defined({ paths: touched }),
    ...(concerns === undefined || concerns.length === 0
      ? {}
      : { concerns: concerns.map(({ id }) => mask(id)) }),
  };
}
