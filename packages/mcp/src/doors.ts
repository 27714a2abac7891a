/** Declares what the MCP client needs from the program: child processes, HTTP requests, and the cutting of long results. */

import type { CommandEntry } from "./config/entry.ts";

/** The start of a server that talks over its standard input and output. */
export interface ServerStart {
  /** The entry of the server, with its references replaced; absent for a program that is no MCP server. */
  readonly entry?: CommandEntry;
  readonly command: string;
  readonly args: readonly string[];
  /** The working folder, absolute or relative to the workspace; the workspace itself if absent. */
  readonly cwd?: string;
  /** Variables that are added to the environment, which is filtered first. */
  readonly environment: Readonly<Record<string, string>>;
  /** True to run the server in the sandbox. If there is no sandbox, the server does not start. */
  readonly sandboxed: boolean;
  readonly signal: AbortSignal;
  onOutput(chunk: Uint8Array): void;
  onErrorOutput(chunk: Uint8Array): void;
}

export interface ServerProcess {
  /** Writes to standard input. Resolves when there is room for more. Rejects if the process has ended. */
  write(text: string): Promise<void>;
  /**
   * Resolves when the process and its children have ended. The value is the reason in words, such as `it ended with
   * exit code 1`.
   */
  readonly ended: Promise<string>;
}

/** Sends one HTTP request, as the global `fetch` does. Resolves to the answer when its head has arrived. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface Doors {
  /** Starts a process. When `signal` aborts, the process ends together with its children. Rejects if it cannot start. */
  start(request: ServerStart): Promise<ServerProcess>;
  readonly fetch: Fetch;
  /**
   * Resolves to a `fetch` for addresses that come from the server at `serverUrl`, not from the person. The `fetch` reaches
   * only public addresses, unless that server has an address that is not public.
   */
  fetchNamedBy(serverUrl: string): Promise<Fetch>;
  /** Cuts a text to the maximum length of a tool result. The returned text says if something was left out. */
  cut(text: string): string;
}
