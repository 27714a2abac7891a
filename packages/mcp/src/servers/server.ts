/** Runs one server. Starts it when it is first used, starts it again a limited number of times, and makes the calls. */
import { type AskedByServer, failed, type ToolOutput } from "@localharness/engine";
import type { JsonObject, QuestionAnswer } from "@localharness/protocol";
import type { CallToolResult } from "@modelcontextprotocol/client";
import { entryHash, type ServerEntry } from "../config/entry.ts";
import { expandEntry } from "../config/expand.ts";
import type { Connection, ConnectParts, ListName } from "../connection/connection.ts";
import { createConnectionUses } from "../connection/connection-uses.ts";
import { shortText } from "../connection/short-text.ts";
import { readQuestion, writeAnswer } from "../elicitation/question.ts";
import { type SamplingParts, sample } from "../sampling/sampling.ts";
import type { ServerAuth } from "../sign-in/server-auth.ts";
import type { SignIns } from "../sign-in/sign-ins.ts";
import { type ListedTool, readTools } from "../tools/listed-tool.ts";
import { resultOutput } from "../tools/result-output.ts";
import { changedSince } from "../tools/server-tool.ts";
import type { Trouble } from "../transport/process-transport.ts";
import { createCallClock } from "./call-clock.ts";
import type { KnownTools, ToolMemory } from "./known-tools.ts";
import { progressText } from "./progress-text.ts";
import { startingText, startLimit } from "./starting-text.ts";

export type ServerState =
  | { readonly kind: "idle" }
  | { readonly kind: "starting" }
  | { readonly kind: "ready"; readonly protocol: string; readonly about: string }
  /** The reason why the server is not used, without its name. */
  | { readonly kind: "failed"; readonly reason: string };

export interface ServerParts
  extends Omit<
    ConnectParts,
    "auth" | "onQuestion" | "onSampling" | "onStart" | "onClosed" | "onListChanged" | "onLog" | "signal"
  > {
  /** Asks the person a question of a server. Never rejects. */
  ask(question: AskedByServer, signal: AbortSignal): Promise<QuestionAnswer>;
  /**
   * Asks the person whether the model answers a request of a server, and then the model. Never rejects. If it is absent, no
   * model answers.
   */
  readonly answer?: SamplingParts["answer"] | undefined;
  readonly signIns: SignIns;
  readonly memory: ToolMemory;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The milliseconds that a call may take without progress; `timeoutSeconds` of an entry takes its place. */
  readonly callMs: number;
  /** Tells the person something about a server. Each message names the server. */
  tell(message: string): void;
}

export interface Server {
  readonly entry: ServerEntry;
  readonly hash: string;
  state(): ServerState;
  /** Returns how far the start is, as the end of a sentence, such as `is still starting`. */
  startingText(): string;
  /**
   * Reads the tools that the server had in an earlier session, if it was not started yet. Resolves to true if they were read,
   * now or by an earlier `recall`.
   */
  recall(): Promise<boolean>;
  /** Resolves to true if the server was not started, or if it failed and the person has signed in at it since then. */
  isStartWorthIt(): Promise<boolean>;
  /** Starts the server if it is not running, and reads its tools. Resolves to the new state. Never rejects. */
  ready(): Promise<ServerState>;
  tools(): readonly ListedTool[];
  /** Returns the problems of the list of tools, such as tools that are left out, each as a sentence. */
  problems(): readonly string[];
  /** Returns the last messages that the server logged, at most 50, the newest last. */
  logs(): readonly string[];
  has(list: ListName): boolean;
  list(what: ListName): Promise<readonly JsonObject[]>;
  call(tool: ListedTool, args: JsonObject, around: CallAround): Promise<ToolOutput>;
  /**
   * Runs a request, and starts the server first if it is not running. Resolves to the output of the request, or to a failed
   * output that says why there is none. Never rejects.
   */
  run(what: string, work: (connection: Connection) => Promise<ToolOutput>): Promise<ToolOutput>;
  close(): Promise<void>;
}

export interface CallAround {
  readonly signal: AbortSignal;
  report(text: string): void;
}

/**
 * The maximum number of further starts after the first, also of failed ones. One that only lacked a sign-in is not counted.
 */
export const maxRestarts = 3;
/** The maximum milliseconds of a call, however much progress it reports. */
export const longestCallMs = 60 * 60_000;
const keptLogs = 50;

/** The modules that a running server needs. */
type Live = typeof import("../connection/live.ts");

export function createServer(entry: ServerEntry, parts: ServerParts): Server {
  return new RunningServer(entry, parts);
}

class RunningServer implements Server {
  readonly entry: ServerEntry;
  readonly hash: string;
  readonly #parts: ServerParts;
  readonly #callMs: number;
  readonly #stopping = new AbortController();
  readonly #logs: string[] = [];
  #state: ServerState = { kind: "idle" };
  #starting: Promise<ServerState> | undefined;
  #connection: Connection | undefined;
  readonly #uses = createConnectionUses();
  #auth: ServerAuth | undefined;
  #live: Live | undefined;
  #trouble: (() => Trouble) | undefined;
  readonly #clock = createCallClock();
  #starts = 0;
  #known: KnownTools | undefined;
  /** Resolves when the tools are kept for the next run. */
  #keeping: Promise<void> = Promise.resolve();
  #tools: readonly ListedTool[] = [];
  #problems: readonly string[] = [];

  constructor(entry: ServerEntry, parts: ServerParts) {
    this.entry = entry;
    this.hash = entryHash(entry);
    this.#parts = parts;
    this.#callMs = entry.timeoutSeconds === undefined ? parts.callMs : entry.timeoutSeconds * 1000;
  }

  state(): ServerState {
    return this.#state;
  }

  startingText(): string {
    return startingText(this.entry, this.#trouble?.());
  }

  tools(): readonly ListedTool[] {
    return this.#tools;
  }

  problems(): readonly string[] {
    return this.#problems;
  }

  logs(): readonly string[] {
    return this.#logs;
  }

  async recall(): Promise<boolean> {
    if (this.#state.kind !== "idle" || this.#known !== undefined) return this.#known !== undefined;
    this.#known = await this.#parts.memory.find(this.hash);
    if (this.#known === undefined) return false;
    const read = readTools(this.#known.tools, this.#known.mirrors);
    this.#tools = read.tools;
    this.#problems = read.problems;
    return true;
  }

  has(list: ListName): boolean {
    if (this.#connection === undefined) return list === "resources" && this.#known?.resources === true;
    return this.#connection.client.getServerCapabilities()?.[list] !== undefined;
  }

  async list(what: ListName): Promise<readonly JsonObject[]> {
    await this.ready();
    const used = this.#connection;
    if (used === undefined) return [];
    try {
      return await this.#uses.use(used, () => used.list(what));
    } catch (error) {
      if (!(await this.#beginAgain(error, used))) throw error;
      return (await this.#connection?.list(what)) ?? [];
    }
  }

  /**
   * Connects again if the error says that the server has forgotten the session, and reads its tools again. Resolves to true
   * if the refused request may be sent once more. Such a start does not count against the server.
   */
  async #beginAgain(error: unknown, used: Connection): Promise<boolean> {
    if (this.#live?.isSessionLost(error) !== true || !used.hasSession()) return false;
    // Of several calls at once that the server refuses, the first one begins again. The others still wait for their
    // refusal on the old connection.
    if (this.#connection === used) {
      this.#connection = undefined;
      this.#starts -= 1;
      this.#uses.leave(used);
    }
    await this.ready();
    return true;
  }

  async isStartWorthIt(): Promise<boolean> {
    if (this.#state.kind === "idle") return true;
    return this.#state.kind === "failed" && (await this.#auth?.isSignedInNow()) === true;
  }

  async ready(): Promise<ServerState> {
    if (this.#connection !== undefined && this.#starting === undefined) return this.#state;
    this.#starting ??= this.#begin();
    return this.#starting;
  }

  async #begin(): Promise<ServerState> {
    const before = this.#state;
    this.#state = { kind: "starting" };
    this.#state = await this.#start(before);
    this.#starting = undefined;
    return this.#state;
  }

  async #start(before: ServerState): Promise<ServerState> {
    if (this.#stopping.signal.aborted) return { kind: "failed", reason: "the session has ended" };
    if (this.#starts > maxRestarts) {
      const reason = before.kind === "failed" ? before.reason.replace(givenUp, "") : "it ended";
      return {
        kind: "failed",
        reason: `${reason}; it was started ${this.#starts} times and is not started again`,
      };
    }
    this.#starts += 1;
    const expanded = expandEntry(this.entry, this.#parts.environment);
    if (!expanded.ok) return notExpanded(expanded.missing);
    this.#live ??= await import("../connection/live.ts");
    const live = this.#live;
    const opened = await live.openConnection(expanded.entry, this.#connectParts(live));
    if (typeof opened === "string") {
      // A start that only the missing sign-in prevented does not count against the server.
      if (this.#auth?.isRefused() === true) this.#starts -= 1;
      return { kind: "failed", reason: opened };
    }
    this.#connection = opened;
    const failure = await this.#readTools(opened, live);
    if (failure !== undefined) {
      this.#connection = undefined;
      const reason = opened.endReason() ?? failure;
      await opened.close();
      return { kind: "failed", reason };
    }
    const version = opened.client.getServerVersion();
    const about = shortText(`${version?.name ?? ""} ${version?.version ?? ""}`);
    return { kind: "ready", protocol: opened.client.getNegotiatedProtocolVersion() ?? "", about };
  }

  #connectParts(live: Live): ConnectParts {
    return {
      ...this.#parts,
      startMs: startLimit(this.entry, this.#parts.startMs),
      signal: this.#stopping.signal,
      onStart: (trouble) => {
        this.#trouble = trouble;
      },
      auth: (entry) => {
        const { signIns, doors } = this.#parts;
        this.#auth = live.hasOwnToken(entry) ? undefined : live.serverAuth(entry, signIns, doors);
        return this.#auth;
      },
      onQuestion: (params, signal) => this.#askPerson(params, signal),
      onSampling: (params, signal) =>
        this.#clock.paused(() => sample(this.entry.name, params, signal, this.#parts)),
      onClosed: () => this.#closed(),
      onListChanged: (list) => {
        if (list === "tools" && this.#connection !== undefined) void this.#readTools(this.#connection, live);
      },
      onLog: (text) => {
        this.#logs.push(shortText(text));
        this.#logs.splice(0, this.#logs.length - keptLogs);
      },
    };
  }

  async #askPerson(params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const question = readQuestion(this.entry.name, params);
    if (typeof question === "string") {
      this.#parts.tell(`the MCP server ${this.entry.name} asked a question that was declined: ${question}`);
      return { action: "decline" };
    }
    return writeAnswer(question, await this.#clock.paused(() => this.#parts.ask(question, signal)));
  }

  #closed(): void {
    const reason = this.#connection?.endReason() ?? "it closed the connection";
    this.#connection = undefined;
    // Reaching a server over HTTP again starts nothing.
    if (this.entry.kind === "address" && this.#state.kind === "ready") this.#starts -= 1;
    if (!this.#stopping.signal.aborted && this.#state.kind === "ready") {
      this.#state = { kind: "failed", reason };
    }
  }

  /** Reads the tools. If that fails, resolves to the reason and keeps the tools that were read before. */
  async #readTools(from: Connection, live: Live): Promise<string | undefined> {
    try {
      const listed = await from.list("tools");
      const read = readTools(listed, from.mirrors);
      const resources = from.client.getServerCapabilities()?.resources !== undefined;
      this.#keeping = this.#parts.memory.keep(this.hash, { tools: listed, mirrors: from.mirrors, resources });
      this.#tools = read.tools;
      this.#problems = read.problems;
      return undefined;
    } catch (error) {
      return live.isTimeout(error) ? "it did not list its tools in time" : live.reasonText(error, this.entry);
    }
  }

  /** `mayBeginAgain` is false for a request that is sent for the second time. */
  async run(
    what: string,
    work: (connection: Connection) => Promise<ToolOutput>,
    mayBeginAgain = true,
  ): Promise<ToolOutput> {
    const now = await this.ready();
    const used = this.#connection;
    const live = this.#live;
    if (now.kind !== "ready" || used === undefined || live === undefined) {
      const reason = now.kind === "failed" ? now.reason : "it is not running";
      return failed("io_error", `the MCP server ${this.entry.name} cannot be used: ${reason}`);
    }
    try {
      return await this.#uses.use(used, work);
    } catch (error) {
      if (error instanceof live.InsufficientScopeError) {
        await live.keepChallenge(error, this.entry, this.#parts);
      }
      if (mayBeginAgain && (await this.#beginAgain(error, used))) return this.run(what, work, false);
      return this.#callFailure(error, what, used.endReason(), live);
    }
  }

  #callFailure(error: unknown, what: string, ended: string | undefined, live: Live): ToolOutput {
    const name = `the MCP server ${this.entry.name}`;
    if (ended !== undefined) {
      const next = this.#starts > maxRestarts ? "It is not started again." : "The next call starts it again.";
      return failed("io_error", `${name} gave no answer to ${what}: ${ended}. ${unknownEffect} ${next}`);
    }
    if (live.isTimeout(error) || error instanceof CallTookTooLong) {
      const limitMs = live.exceededMs(error) ?? this.#callMs;
      const after = `within ${limitMs / 1000} s, so the call was cancelled`;
      return failed("timeout", `${name} did not answer ${what} ${after}. ${unknownEffect}`);
    }
    if (live.asksForSignIn(error)) {
      return failed("permission_denied", `${name}: ${live.signInText(error, this.entry)}`);
    }
    const why = `${what}: ${live.reasonText(error, this.entry)}`;
    if (live.isAnswered(error)) return failed("validation_failed", `${name} refused ${why}`);
    return failed("io_error", `${name} gave no usable answer to ${why}`);
  }

  call(tool: ListedTool, args: JsonObject, { signal, report }: CallAround): Promise<ToolOutput> {
    return this.run(`the call of ${tool.name}`, async ({ client }) => {
      // A server that began again may have changed the tool. Then the person has not decided about it as it is now.
      const refusal = changedSince(tool, this.#tools, this.entry.name);
      if (refusal !== undefined) return refusal;
      const timed = this.#clock.begin(this.#callMs);
      try {
        const result: CallToolResult = await client.callTool(
          { name: tool.name, arguments: args },
          {
            signal: AbortSignal.any([signal, timed.signal]),
            timeout: longestCallMs,
            onprogress: (progress) => {
              timed.again();
              report(progressText(progress));
            },
            // An output schema is left out, because the library would compile a schema of the server into code.
            toolDefinition: { name: tool.name, inputSchema: { ...tool.inputSchema, type: "object" } },
          },
        );
        return resultOutput(result as unknown as JsonObject, this.entry.name, this.#parts.doors.cut);
      } catch (error) {
        throw timed.isOver() && !signal.aborted ? new CallTookTooLong() : error;
      } finally {
        timed.end();
      }
    });
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    const open = this.#connection;
    this.#connection = undefined;
    await Promise.all([open?.close(), this.#uses.closeLeft(), this.#starting]);
    await this.#keeping;
    this.#state = { kind: "idle" };
  }
}

/** A call that reported no progress within its time limit. */
class CallTookTooLong extends Error {}

const unknownEffect = "It is unknown whether the call had an effect.";
/** Matches the end of the reason for a server that is not started again. */
const givenUp = /; it was started \d+ times and is not started again$/;

function notExpanded(missing: readonly string[]): ServerState {
  const names = missing.join(", ");
  return { kind: "failed", reason: `its entry uses environment variables that are not set: ${names}` };
}
