/**
 * Lets the person's model answer a request of an MCP server (sampling), after the person has seen the whole request and
 * allowed it. The model gets the texts of the request and nothing of the session.
 */

import { createHash } from "node:crypto";
import {
  type AuditEntry,
  type AuditLog,
  freshId,
  type Model,
  type ModelAnswer,
  type ServersRequest,
  type Session,
} from "@localharness/engine";
import type { JsonObject, ModelMessage } from "@localharness/protocol";
import { countText } from "@localharness/protocol";

export interface ServerAnswersParts {
  model(): Model;
  readonly audit: AuditLog;
  mask(text: string): string;
  /** The time limit of an answer, in seconds. */
  readonly maxSeconds: number;
}

export type AnswerServer = (
  session: Session,
  request: ServersRequest,
  signal: AbortSignal,
) => Promise<ModelAnswer>;

/** The maximum number of requests of all servers in one minute of a session. */
const maxPerMinute = 10;
/** The maximum number of requests of all servers in one session. */
const maxPerSession = 100;
/** The assumed number of characters of a token, by which an answer is cut. */
const charsPerToken = 4;
const maxAuditedChars = 2_000;

export function createServerAnswers(parts: ServerAnswersParts): AnswerServer {
  const times = new WeakMap<Session, readonly number[]>();

  /** Returns the limit that the session has reached, in words. If it has reached none, counts the request. */
  function overLimit(session: Session): string | undefined {
    const now = performance.now();
    const before = times.get(session) ?? [];
    const lately = before.filter((time) => now - time < 60_000).length;
    if (before.length >= maxPerSession) return `at most ${maxPerSession} requests are answered in a session`;
    if (lately >= maxPerMinute) {
      return `at most ${maxPerMinute} requests are answered in a minute: send it again later`;
    }
    times.set(session, [...before, now]);
    return undefined;
  }

  return async (session, request, signal) => {
    const over = overLimit(session);
    if (over !== undefined) {
      session.notice(
        "warning",
        "mcp",
        `the MCP server ${request.server} asked too often for your model: ${over}`,
      );
      return { ok: false, message: over };
    }
    const record = recorder(session, request, parts);
    const { action, by } = await session.askForServer(request, signal);
    const isAllowed = action === "accept";
    const isKept = await record({ type: "answer", answer: isAllowed ? "once" : "deny", by });
    if (!isAllowed) return { ok: false, message: "the person did not allow this request" };
    if (!isKept) return { ok: false, message: "the audit log cannot be written, so the model was not asked" };
    const began = performance.now();
    const given = await askModel(parts, request, signal);
    const text = given.ok ? given.text : given.message;
    await record({
      type: "result",
      success: given.ok,
      error_type: given.ok ? "none" : "io_error",
      sha256: given.ok ? sha256Of(text) : null,
      bytes: given.ok ? Buffer.byteLength(text) : 0,
      ms: Math.round(performance.now() - began),
    });
    session.notice("info", "mcp", toldOf(request, given));
    return given;
  };
}

function toldOf({ server }: ServersRequest, given: ModelAnswer): string {
  if (!given.ok) return `your model gave no answer to the MCP server ${server}: ${given.message}`;
  return `your model answered the MCP server ${server} with ${countText(given.text.length, "character")}`;
}

type Fact =
  | Pick<Extract<AuditEntry, { type: "answer" }>, "type" | "answer" | "by">
  | Omit<Extract<AuditEntry, { type: "result" }>, "time" | "session" | "call">;

/**
 * Writes the request into the audit log. Returns a function that adds a fact, such as the person's answer, and resolves to
 * false if the request or the fact cannot be written.
 */
function recorder(session: Session, request: ServersRequest, { audit, mask }: ServerAnswersParts) {
  const call = `sampling_${freshId()}`;
  const text = JSON.stringify(request.asks);
  const at = () => ({ time: Date.now(), session: session.id, call });
  const asked: JsonObject = {
    server: request.server,
    request: mask(text).slice(0, maxAuditedChars),
  };
  const kept = audit.append({
    type: "call",
    ...at(),
    tool: "mcp_sampling",
    arguments: asked,
    argumentsHash: sha256Of(text),
    decision: "ask",
    rule: "sampling",
  });
  // The returned function reports a failure.
  kept.catch(() => undefined);
  return async (fact: Fact): Promise<boolean> => {
    try {
      await kept;
      await audit.append({ ...at(), ...fact });
      return true;
    } catch {
      return false;
    }
  };
}

/** Asks the model. If its server answers one request at a time, the requests of the turn go first. */
async function askModel(
  { model, mask, maxSeconds }: ServerAnswersParts,
  { asks }: ServersRequest,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const asked = model();
  const most = asks.maxTokens * charsPerToken;
  const enough = new AbortController();
  const late = AbortSignal.timeout(maxSeconds * 1_000);
  let text = "";
  const ends = AbortSignal.any([signal, enough.signal, late]);
  for await (const event of asked.stream(
    { messages: messagesOf(asks, mask), tools: [], beside: true },
    ends,
  )) {
    if (event.type === "text-delta") text += event.text;
    if (event.type === "answer-restart") text = "";
    if (text.length > most) enough.abort();
    if (enough.signal.aborted) break;
    if (event.type === "model-error") {
      const reason = late.aborted ? `it took more than ${maxSeconds} s` : event.message;
      return { ok: false, message: `the model gave no answer: ${reason}` };
    }
    if (event.type === "model-end") {
      const stopReason = event.stopReason === "length" ? "maxTokens" : "endTurn";
      return { ok: true, text, model: asked.name, stopReason };
    }
  }
  return { ok: true, text: text.slice(0, most), model: asked.name, stopReason: "maxTokens" };
}

function messagesOf({ system, messages }: ServersRequest["asks"], mask: (text: string) => string) {
  const first: readonly ModelMessage[] =
    system === undefined ? [] : [{ role: "system", content: mask(system) }];
  const rest = messages.map(
    ({ role, text }): ModelMessage =>
      role === "assistant" ? { role, content: mask(text) } : { role, content: mask(text), from: "harness" },
  );
  return [...first, ...rest];
}

function sha256Of(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
