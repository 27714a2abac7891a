/**
 * Links this program to a folder that another machine lends: calls its tools and reads its files. When the connection
 * breaks, it connects again and sends the open calls again, which the other machine runs at most once.
 */
import { randomBytes } from "node:crypto";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type PermissionAnswer,
  type PermissionRequest,
  reasonOf,
  type ToolResult,
} from "@localharness/protocol";
import { type CallResult, fromCallResult } from "../registry/call-result.ts";
import { readTools } from "../tools/listed-tool.ts";
import type { Frames } from "../transport/frame-transport.ts";
import { type KeptConnection, keepConnection } from "./keep-connection.ts";

/** A tool of the lent folder. */
export interface LentTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: ReturnType<typeof readTools>["tools"][number]["parameters"];
  readonly readOnly: boolean;
}

export interface LinkCall {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly session: string;
  readonly turn: string;
  readonly signal: AbortSignal;
  /** Asks the person here. Resolves to undefined if nobody can be asked. */
  ask(request: PermissionRequest): Promise<PermissionAnswer | undefined>;
  report(text: string): void;
}

export type LinkEnd =
  /** `unasked` is true if a question about the call counted as denied because nobody here could be asked. */
  | { readonly kind: "result"; readonly result: ToolResult; readonly unasked: boolean }
  /** The call was not sent. */
  | { readonly kind: "not-sent"; readonly reason: string }
  /** The call was sent, and its result did not come back: it may have run. */
  | { readonly kind: "unknown"; readonly reason: string };

export interface LinkParts {
  /** The name of the machine, for messages. */
  readonly name: string;
  readonly version: string;
  /** Opens one connection. Rejects with an `Error` for the person. */
  connect(signal: AbortSignal): Promise<Frames>;
  /** Tells the person that the connection broke or is back. */
  tell(text: string): void;
  /** The time for which a broken connection is tried again, in milliseconds. */
  readonly patienceMs: number;
}

export interface Link {
  tools(): readonly LentTool[];
  /** Sends the call and resolves to how it ended. Never rejects. */
  call(call: LinkCall): Promise<LinkEnd>;
  /** Sends a request once. Rejects with an `Error` for the person. */
  request(method: string, params: JsonObject): Promise<JsonObject>;
  /** Sends a request that changes nothing, and sends it again if the connection breaks. Rejects like `request`. */
  look(method: string, params: JsonObject): Promise<JsonObject>;
  /** Returns the milliseconds of a message to the other machine and back; undefined while not connected or not measured. */
  latency(): number | undefined;
  close(): void;
}

const longestMs = 2 ** 31 - 1;
const requestMs = 30_000;

interface OpenCall {
  readonly call: LinkCall;
  /** The answers by question id. When the other machine sends a question again, the person is not asked again. */
  readonly answers: Map<string, Promise<PermissionAnswer | undefined>>;
  unasked: boolean;
}

/** Connects and reads the tools. Rejects with an `Error` for the person. */
export async function openLinkTo(parts: LinkParts): Promise<Link> {
  const sender = randomBytes(18).toString("base64url");
  const calls = new Map<string, OpenCall>();
  const connection = await keepConnection({ ...parts, answer: (request) => answerFor(calls, request) });
  let count = 0;
  const request = async (method: string, params: JsonObject) =>
    (await connection.connected()).request(method, params, requestMs);
  const look = (method: string, params: JsonObject) => sendLook(connection, method, params);
  const tools = readLentTools(await look("tools/list", {}));
  return {
    tools: () => tools,
    async call(call) {
      count += 1;
      const id = `${sender}:${count}`;
      const open: OpenCall = { call, answers: new Map(), unasked: false };
      calls.set(id, open);
      try {
        return await sendCall(id, open, connection);
      } finally {
        calls.delete(id);
      }
    },
    request,
    look,
    latency: connection.latency,
    close: connection.close,
  };
}

/** The maximum number of times that a request that changes nothing is sent, each time over a new connection. */
const maxLooks = 20;

async function sendLook(connection: KeptConnection, method: string, params: JsonObject): Promise<JsonObject> {
  for (let sent = 1; ; sent += 1) {
    const away = await connection.connected();
    try {
      return await away.request(method, params, requestMs);
    } catch (error) {
      if (away.lost() === undefined || sent >= maxLooks) throw error;
    }
  }
}

async function answerFor(
  calls: ReadonlyMap<string, OpenCall>,
  request: PermissionRequest,
): Promise<PermissionAnswer> {
  const open = calls.get(request.callId);
  if (open === undefined) return "deny";
  const known = open.answers.get(request.requestId) ?? open.call.ask(request);
  open.answers.set(request.requestId, known);
  const given = await known;
  if (given === undefined) open.unasked = true;
  return given ?? "deny";
}

/**
 * Sends the call, and sends it again over each new connection until its result comes, the other end refuses it, the person
 * interrupts, or no connection can be made. Never rejects.
 */
async function sendCall(id: string, open: OpenCall, connection: KeptConnection): Promise<LinkEnd> {
  const { name, arguments: args, session, turn, signal, report } = open.call;
  const params = { name, arguments: args, _meta: { "localharness/call": { id, session, turn } } };
  for (let sent = false; ; sent = true) {
    const reached = connection.connected().catch((error: unknown) => reasonOf(error));
    const away = await Promise.race([reached, interrupted(signal)]);
    if (typeof away === "string") return { kind: sent ? "unknown" : "not-sent", reason: away };
    const stop = () => void away.request("localharness/stop", { id }, requestMs).catch(() => undefined);
    signal.addEventListener("abort", stop, { once: true });
    try {
      const answer = await away.request("tools/call", params, longestMs, report);
      const result = fromCallResult(answer as unknown as CallResult, Date.now());
      return { kind: "result", result, unasked: open.unasked };
    } catch (error) {
      const reason = away.lost() ?? reasonOf(error);
      // A call that the person has interrupted is not sent again, because it might only begin then.
      if (away.lost() === undefined || signal.aborted) return { kind: "unknown", reason };
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }
}

/** Resolves to a reason when the signal aborts. */
function interrupted(signal: AbortSignal): Promise<string> {
  const reason = "the person interrupted";
  return new Promise((resolve) => {
    if (signal.aborted) resolve(reason);
    else signal.addEventListener("abort", () => resolve(reason), { once: true });
  });
}

function readLentTools(answer: JsonObject): readonly LentTool[] {
  const listed = Array.isArray(answer["tools"]) ? answer["tools"].filter(isJsonObject) : [];
  return readTools(listed).tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parameters,
    readOnly: readsOnly(listed.find((one) => one["name"] === name)),
  }));
}

function readsOnly(tool: JsonObject | undefined): boolean {
  const hints: JsonValue | undefined = tool?.["annotations"];
  return isJsonObject(hints ?? null) && (hints as JsonObject)["readOnlyHint"] === true;
}
