/** The client of a server: its requests as functions. A browser and a terminal use the same one. */
import type { Command } from "../command.ts";
import type {} from "../event.ts";
import type { CommandReport, ExportFormat, Host } from "../host.ts";
import type { RoomChoice } from "../hub.ts";
import type { PermissionMode } from "../permission-request.ts";
import type {
  CodeReply,
  HostMethod,
  HubReply,
  MethodReply,
  RoomState,
  SessionsReply,
  ShellLine,
} from "./messages.ts";
import { createRequests, isRefusal, type Requests, type ServerAccess } from "./requests.ts";
import { waitAfter } from "./retry-waits.ts";

/** The arguments of a host's method, without the signal. */
export type MethodArguments<Name extends HostMethod> = Host[Name] extends (...args: infer Args) => unknown
  ? Args extends [...infer Rest, AbortSignal]
    ? Rest
    : Args
  : never;

export interface ShellRun {
  readonly signal?: AbortSignal;
  report(text: string): void;
}

/** Each method rejects with an error for the person, as `Requests` does. `id` is the id of a session. */
export interface ServerClient extends Pick<Requests, "passes"> {
  hub(): Promise<HubReply>;
  sessions(words: string): Promise<SessionsReply>;
  /** Opens a session; `mode` is the mode in which it goes on. */
  open(which: RoomChoice & { readonly mode?: PermissionMode }): Promise<RoomState>;
  close(id: string): Promise<void>;
  rename(id: string, name: string): Promise<void>;
  remove(id: string): Promise<void>;
  exportText(id: string, format: ExportFormat): Promise<string>;
  /** Returns the paths of the workspace, at most 20,000. */
  files(): Promise<readonly string[]>;
  pairingCode(): Promise<CodeReply>;
  /**
   * Sends a command until the server has taken or refused it; the server takes it once. If the session is not open, opens it
   * once and sends the command again. `goesOn` is called after each attempt that did not reach the server; when it returns
   * false, the error of the attempt is the end.
   */
  send(
    id: string,
    command: Command,
    goesOn: (attempts: number, error: unknown) => boolean,
  ): Promise<RoomState>;
  /** Calls a method of the session's host, with arguments that are JSON. */
  call(id: string, method: HostMethod, args: readonly unknown[], signal?: AbortSignal): Promise<MethodReply>;
  /** Runs a shell command of the person. Rejects also if the connection ends before the command. */
  shell(id: string, command: string, run: ShellRun): Promise<CommandReport>;
}

export function createServerClient(access: ServerAccess): ServerClient {
  const requests = createRequests(access);
  const get = async <Reply>(path: string) => (await requests.get(path)).json() as Promise<Reply>;
  const post = async <Reply>(...given: Parameters<Requests["post"]>) =>
    (await requests.post(...given)).json() as Promise<Reply>;
  const open: ServerClient["open"] = (which) => post("/api/sessions", which);
  return {
    passes: requests.passes,
    hub: () => get("/api/hub"),
    sessions: (words) => get(`/api/sessions?${new URLSearchParams({ words })}`),
    open,
    close: (id) => post(`${pathOf(id)}/close`, {}),
    rename: (id, name) => post(`${pathOf(id)}/name`, { name }),
    remove: (id) => requests.remove(pathOf(id)),
    exportText: async (id, format) => (await requests.get(`${pathOf(id)}/export?format=${format}`)).text(),
    files: async () => (await get<{ readonly paths: readonly string[] }>("/api/files?limit=20000")).paths,
    pairingCode: () => post("/api/codes", {}),
    send(id, command, goesOn) {
      const requestKey = crypto.randomUUID();
      const deliver = () => post<RoomState>(`${pathOf(id)}/commands`, command, { requestKey });
      return repeat(deliver, () => open({ kind: "resume", id }), goesOn);
    },
    call: (id, method, args, signal) =>
      // A missing argument is written as null, because JSON has no undefined.
      post(`${pathOf(id)}/host/${method}`, { args: args.map((arg) => arg ?? null) }, { signal }),
    shell: async (id, command, { signal, report }) =>
      readReport(await requests.post(`${pathOf(id)}/shell`, { command }, { signal }), report),
  };
}

function pathOf(id: string): string {
  return `/api/sessions/${encodeURIComponent(id)}`;
}

async function repeat<Reply>(
  deliver: () => Promise<Reply>,
  open: () => Promise<unknown>,
  goesOn: (attempts: number, error: unknown) => boolean,
): Promise<Reply> {
  let wasOpened = false;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await deliver();
    } catch (error) {
      if (isRefusal(error) && error.status === 404 && !wasOpened) {
        wasOpened = true;
        // If the server is gone by now, the next attempt finds out.
        await open().catch((problem: unknown) => {
          if (isRefusal(problem)) throw problem;
        });
        continue;
      }
      if (isRefusal(error) || !goesOn(attempts, error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitAfter(attempts)));
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
    for (const text of lines) {
      const line = JSON.parse(text) as ShellLine;
      if (line.output !== undefined) report(line.output);
      if (line.report !== undefined) return line.report;
      if (line.error !== undefined) throw new Error(line.error);
    }
    if (done) throw new Error("the link was lost before the command ended: it may still run there");
  }
}
