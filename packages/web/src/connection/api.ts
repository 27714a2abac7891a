/** Asks the server over HTTP, after it has proved that it knows the key of this browser. The key is never sent. */
import {
  type ClientKey,
  type Command,
  type CommandReport,
  createPasses,
  type Host,
  type HubFacts,
  type Passes,
  type SessionSummary,
} from "@localharness/protocol";
import { clientNameOf } from "./client-name.ts";
import type { RoomState } from "./socket-message.ts";

/** A refusal of the server, or a connection that failed (`status` 0). The message is for the person. */
export class RequestError extends Error {
  readonly status: number;

  constructor(message: string, options: ErrorOptions & { readonly status: number }) {
    super(message, options);
    this.status = options.status;
  }
}

/** The methods of a session's host that work over the network. */
export type RemoteMethod = Exclude<
  keyof Host,
  "open" | "runCommand" | "editDraft" | "runInTerminal" | "readClipboardImage"
>;

export type MethodArguments<Name extends RemoteMethod> = Host[Name] extends (...args: infer Args) => unknown
  ? Args extends [...infer Rest, AbortSignal]
    ? Rest
    : Args
  : never;

export type SessionWanted =
  | { readonly kind: "new" }
  | { readonly kind: "resume"; readonly id: string }
  | { readonly kind: "fork"; readonly id: string; readonly beforeSeq: number };

export interface Api {
  readonly passes: Passes;
  /** Gives up the key of this browser, so that the page asks for a link. `message` says why; empty if the person wanted it. */
  pairAgain(message: string): void;
  hub(): Promise<HubFacts & { readonly open: readonly RoomState[] }>;
  sessions(words: string): Promise<{
    readonly open: readonly RoomState[];
    readonly saved: readonly SessionSummary[];
  }>;
  open(which: SessionWanted): Promise<RoomState>;
  close(id: string): Promise<void>;
  rename(id: string, name: string): Promise<void>;
  remove(id: string): Promise<void>;
  exportText(id: string, format: "markdown" | "json" | "html"): Promise<string>;
  files(): Promise<readonly string[]>;
  /** Returns a one-time code, and the address for other machines if they can reach the server. */
  pairingCode(): Promise<{ readonly code: string; readonly outer?: string }>;
  /**
   * Sends a command, at most `attempts` times with the same `Idempotency-Key`: again if the server does not answer, and
   * again after opening the session if it is not open.
   */
  send(id: string, command: Command): Promise<void>;
  call<Name extends RemoteMethod>(
    id: string,
    name: Name,
    ...args: MethodArguments<Name>
  ): Promise<Awaited<ReturnType<Host[Name]>>>;
  shell(id: string, command: string, report: (text: string) => void): Promise<CommandReport>;
}

const attempts = 4;
/** The message for a key that the server does not accept any more. */
export const keyReplaced = "The key of this browser does not hold any more: its token was replaced.";
const unreachable = "the server does not answer: is it running, and are you online?";

/** Returns the functions that send requests. Calls `pairAgain` when the key is no longer valid. */
export function createApi(key: ClientKey, pairAgain: Api["pairAgain"]): Api {
  const name = { "Localharness-Client": clientNameOf(navigator.userAgent) };
  const ask = async (path: string, init: RequestInit): Promise<Response> => {
    try {
      return await fetch(path, init);
    } catch (error) {
      passes.drop();
      throw new RequestError(unreachable, { status: 0, cause: error });
    }
  };
  const passes = createPasses({
    key,
    origin: location.origin,
    post: (body) =>
      ask("/api/prove", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body,
        signal: AbortSignal.timeout(10_000),
      }),
  });
  const askWithPass = async (path: string, init: RequestInit) => {
    const pass = await passes.get();
    return ask(path, { ...init, headers: { ...name, Authorization: `Bearer ${pass}`, ...init.headers } });
  };
  const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
    let response = await askWithPass(path, init);
    if (response.status === 401) {
      // The server may have been started again since it gave the pass.
      passes.drop();
      response = await askWithPass(path, init);
    }
    if (response.ok) return response;
    const { error = response.statusText } = (await response.json().catch(() => ({}))) as { error?: string };
    if (response.status === 401) pairAgain(keyReplaced);
    throw new RequestError(error, { status: response.status });
  };
  const get = async (path: string) => (await request(path)).json();
  const post = (path: string, body: unknown, more: HeadersInit = {}) =>
    request(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...more },
      body: JSON.stringify(body),
    });
  const of = (id: string) => `/api/sessions/${encodeURIComponent(id)}`;
  return {
    passes,
    pairAgain,
    hub: () => get("/api/hub"),
    sessions: (words) => get(`/api/sessions?words=${encodeURIComponent(words)}`),
    open: async (which) => (await post("/api/sessions", which)).json(),
    close: async (id) => void (await post(`${of(id)}/close`, {})),
    rename: async (id, name) => void (await post(`${of(id)}/name`, { name })),
    remove: async (id) => void (await request(of(id), { method: "DELETE" })),
    exportText: async (id, format) => (await request(`${of(id)}/export?format=${format}`)).text(),
    files: async () => (await get("/api/files?limit=20000")).paths,
    pairingCode: async () => (await post("/api/codes", {})).json(),
    async send(id, command) {
      const once = { "Idempotency-Key": crypto.randomUUID() };
      const open = () => post("/api/sessions", { kind: "resume", id });
      await repeat(() => post(`${of(id)}/commands`, command, once), open);
    },
    async call(id, name, ...args) {
      const given = args.map((arg) => arg ?? null);
      return (await (await post(`${of(id)}/host/${name}`, { args: given })).json()).result;
    },
    shell: async (id, command, report) => readReport(await post(`${of(id)}/shell`, { command }), report),
  };
}

/**
 * Repeats a request that did not reach the server, or whose session is not open, for example because the server was started
 * again. The server takes a command with the same `Idempotency-Key` only once.
 */
async function repeat(send: () => Promise<unknown>, open: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await send();
      return;
    } catch (error) {
      if (!(error instanceof RequestError) || attempt === attempts) throw error;
      if (error.status === 404) {
        await open();
        continue;
      }
      if (error.status !== 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 400 * 2 ** attempt));
    }
  }
}

/** Reads the JSON lines of a shell command: pieces of output, then a report or an error. */
async function readReport(response: Response, report: (text: string) => void): Promise<CommandReport> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value = "", done } = (await reader?.read()) ?? { done: true };
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const message: { output?: string; report?: CommandReport; error?: string } = JSON.parse(line);
      if (message.output !== undefined) report(message.output);
      if (message.report !== undefined) return message.report;
      if (message.error !== undefined) throw new RequestError(message.error, { status: 409 });
    }
    if (done) throw new RequestError("the connection ended before the command did", { status: 0 });
  }
}
