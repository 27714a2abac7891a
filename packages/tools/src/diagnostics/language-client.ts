/**
 * Speaks with one language server: tells it the text of files and keeps the errors that it reports. Whatever the server does,
 * nothing throws and nothing it asks for is done; a server that breaks a limit is ended.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { RunningServer } from "@localharness/processes/helpers/run-server";
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import { createFrameReader, writeFrame } from "./message-frames.ts";
import { type Problem, readProblems } from "./problems.ts";

export interface LanguageClientParts {
  /** The real path of the workspace. */
  readonly root: string;
  /** Starts the server, which passes its output to `onOutput`. */
  start(onOutput: (chunk: Uint8Array) => void, signal: AbortSignal): Promise<RunningServer>;
}

interface OpenText {
  readonly text: string;
  readonly version: number;
  /** The errors of the newest version that the server has judged; undefined before the first. */
  readonly problems?: readonly Problem[];
  readonly judged: number;
}

/** The milliseconds after which errors without a version count as those of the newest text, because no others followed. */
const quietMs = 150;
/** The number of bytes that a server may send before the next text is sent to it. */
const maxFloodBytes = 32 * 1024 * 1024;

export class LanguageClient {
  readonly #root: string;
  readonly #ending = new AbortController();
  readonly #open = new Map<string, OpenText>();
  readonly #requests = new Map<number, (result: JsonValue | undefined) => void>();
  readonly #reader = createFrameReader();
  #server: RunningServer | undefined;
  #sent: Promise<void>;
  #isPulled = false;
  #received = 0;
  #nextId = 1;
  /** The number of texts that were sent. */
  #generation = 0;
  #isEnded = false;
  #quiet: NodeJS.Timeout | undefined;
  #changed = Promise.withResolvers<void>();

  constructor({ root, start }: LanguageClientParts) {
    this.#root = root;
    this.#sent = this.#begin(start).catch(() => this.end());
  }

  /** True after the server has ended, for whatever reason. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Returns true if the server has judged the newest text of every open file. */
  isSettled(): boolean {
    return [...this.#open.values()].every(({ version, judged }) => judged >= version);
  }

  /** Returns the errors of the newest judged text of an open file; undefined if there is none. */
  problemsOf(path: string): readonly Problem[] | undefined {
    return this.#open.get(path)?.problems;
  }

  /** Tells the server the text of a file, unless it has this text already. */
  put(path: string, languageId: string, text: string): void {
    const known = this.#open.get(path);
    if (known?.text === text) return;
    const version = (known?.version ?? 0) + 1;
    this.#open.set(path, { judged: 0, ...known, text, version });
    this.#received = 0;
    const uri = this.#uriOf(path);
    if (known === undefined) {
      this.#notify("textDocument/didOpen", { textDocument: { uri, languageId, version, text } });
    } else {
      this.#notify("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ text }] });
    }
    this.#generation += 1;
    const generation = this.#generation;
    void this.#sent.then(() => this.#pullAll(generation));
  }

  /** Closes all files but these. */
  keepOpen(paths: readonly string[]): void {
    for (const path of this.#open.keys()) {
      if (paths.includes(path)) continue;
      this.#open.delete(path);
      this.#notify("textDocument/didClose", { textDocument: { uri: this.#uriOf(path) } });
    }
  }

  /**
   * Resolves when the server has judged the newest texts, has ended, or when the signal aborts. If other files than the changed
   * one are open, a server that reports by itself also gets a moment for them.
   */
  async settled(signal: AbortSignal): Promise<void> {
    await this.#judgedAll(signal);
    if (this.#isPulled || this.#open.size < 2) return;
    for (let seen = -1; seen !== this.#received && !signal.aborted && !this.#isEnded; ) {
      seen = this.#received;
      await sleep(quietMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #judgedAll(signal: AbortSignal): Promise<void> {
    const aborted = new Promise<void>((resolve) =>
      signal.addEventListener("abort", () => resolve(), { once: true }),
    );
    while (!this.#isEnded && !signal.aborted && !this.isSettled()) {
      await Promise.race([this.#changed.promise, aborted]);
    }
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearTimeout(this.#quiet);
    this.#ending.abort();
    this.#requests.clear();
    this.#open.clear();
    this.#tellChange();
  }

  async #begin(start: LanguageClientParts["start"]): Promise<void> {
    const server = await start((chunk) => this.#take(chunk), this.#ending.signal);
    this.#server = server;
    void server.ended.catch(() => undefined).then(() => this.end());
    const rootUri = pathToFileURL(this.#root).href;
    const answer = await this.#request("initialize", {
      processId: null,
      rootUri,
      workspaceFolders: [{ uri: rootUri, name: "workspace" }],
      initializationOptions: { disableAutomaticTypingAcquisition: true },
      capabilities: {
        general: { positionEncodings: ["utf-16"] },
        textDocument: {
          synchronization: {},
          publishDiagnostics: { versionSupport: true },
          diagnostic: { dynamicRegistration: false },
        },
        workspace: { configuration: true, workspaceFolders: true },
      },
    });
    const offered = isJsonObject(answer) ? answer["capabilities"] : undefined;
    this.#isPulled = isJsonObject(offered) && isJsonObject(offered["diagnosticProvider"]);
    await this.#write({ method: "initialized", params: {} });
  }

  #uriOf(path: string): string {
    return pathToFileURL(`${this.#root}/${path}`).href;
  }

  async #write(message: JsonObject): Promise<void> {
    if (!this.#isEnded) await this.#server?.write(writeFrame(message));
  }

  #notify(method: string, params: JsonObject): void {
    this.#sent = this.#sent.then(() => this.#write({ method, params })).catch(() => this.end());
  }

  /** Resolves to the result, or to undefined if the server answers with an error. Never resolves if the server ends. */
  async #request(method: string, params: JsonObject): Promise<JsonValue | undefined> {
    const id = this.#nextId++;
    const answered = new Promise<JsonValue | undefined>((resolve) => this.#requests.set(id, resolve));
    await this.#write({ id, method, params });
    return await answered;
  }

  /** Asks a server that reports errors only when asked for them about every open file, because a change may concern all. */
  #pullAll(generation: number): void {
    if (!this.#isPulled || generation !== this.#generation) return;
    for (const [path, one] of this.#open) {
      this.#open.set(path, { ...one, judged: one.version - 1 });
      void this.#pull(path, one.version, generation).catch(() => this.end());
    }
  }

  async #pull(path: string, version: number, generation: number): Promise<void> {
    const params = { textDocument: { uri: this.#uriOf(path) } };
    const report = await this.#request("textDocument/diagnostic", params);
    if (generation !== this.#generation) return;
    this.#judge(path, version, isJsonObject(report) ? report["items"] : undefined);
  }

  #take(chunk: Uint8Array): void {
    if (this.#isEnded) return;
    this.#received += chunk.length;
    try {
      if (this.#received > maxFloodBytes) throw new Error("it writes too much");
      for (const message of this.#reader.push(chunk)) this.#takeMessage(message);
    } catch {
      this.end();
    }
  }

  #takeMessage({ id, method, params, result }: JsonObject): void {
    if (typeof method === "string") {
      if (id !== undefined) this.#refuse(id, method, params);
      else if (method === "textDocument/publishDiagnostics") this.#takePublished(params);
    } else if (typeof id === "number") {
      this.#requests.get(id)?.(result);
      this.#requests.delete(id);
    }
  }

  /** Answers a request of the server: it gets no settings, and nothing that it wants is done. */
  #refuse(id: JsonValue, method: string, params: JsonValue | undefined): void {
    const items = isJsonObject(params) ? params["items"] : undefined;
    const harmless = [
      "client/registerCapability",
      "client/unregisterCapability",
      "window/workDoneProgress/create",
    ];
    const answer: JsonObject =
      method === "workspace/configuration" && Array.isArray(items)
        ? { result: items.slice(0, 100).map(() => null) }
        : harmless.includes(method)
          ? { result: null }
          : { error: { code: -32601, message: "not supported" } };
    void this.#write({ id, ...answer }).catch(() => this.end());
  }

  #takePublished(params: JsonValue | undefined): void {
    if (!isJsonObject(params) || this.#isPulled) return;
    const { uri, version, diagnostics } = params;
    const path = typeof uri === "string" ? this.#pathOf(uri) : undefined;
    const known = path === undefined ? undefined : this.#open.get(path);
    if (path === undefined || known === undefined) return;
    if (typeof version === "number") {
      this.#judge(path, version, diagnostics);
      return;
    }
    this.#open.set(path, { ...known, problems: readProblems(diagnostics) });
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#judgeQuiet(), quietMs);
  }

  /** Takes the errors that came without a version as those of the newest texts. */
  #judgeQuiet(): void {
    for (const [path, one] of this.#open) {
      if (one.problems !== undefined) this.#open.set(path, { ...one, judged: one.version });
    }
    this.#tellChange();
  }

  #judge(path: string, version: number, diagnostics: JsonValue | undefined): void {
    const known = this.#open.get(path);
    if (known === undefined || version < known.judged || version > known.version) return;
    this.#open.set(path, { ...known, problems: readProblems(diagnostics), judged: version });
    this.#tellChange();
  }

  #pathOf(uri: string): string | undefined {
    try {
      const path = fileURLToPath(uri);
      return path.startsWith(`${this.#root}/`) ? path.slice(this.#root.length + 1) : undefined;
    } catch {
      return undefined;
    }
  }

  #tellChange(): void {
    const { resolve } = this.#changed;
    this.#changed = Promise.withResolvers();
    resolve();
  }
}
