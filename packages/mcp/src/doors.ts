/** Declares what the MCP client needs from the program: child processes, HTTP requests, and the cutting of long results. */

/** The start of a server that talks over its standard input and output. */
export interface ServerStart {
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute, or relative to the workspace; the workspace itself if absent. */
  readonly cwd?: string;
  /** Variables that are added to the filtered environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** True to run the server in the sandbox. It does not start if there is none. */
  readonly sandboxed: boolean;
  readonly signal: AbortSignal;
  onOutput(chunk: Uint8Array): void;
  onErrorOutput(chunk: Uint8Array): void;
}

export interface ServerProcess {
  /** Writes to standard input. Resolves when there is room for more. Rejects if the process has ended. */
  write(text: string): Promise<void>;
  /** Resolves to the reason in words, such as `it ended with exit code 1`, when the process and its children have ended. */
  readonly ended: Promise<string>;
}

/** Sends one HTTP request and resolves to the answer when its head has arrived, like the global `fetch`. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface Doors {
  /** Starts a process, which ends with its whole tree when `signal` aborts. */
  start(request: ServerStart): Promise<ServerProcess>;
  readonly fetch: Fetch;
  /** Returns a result that is as long as one result may be; the rest is left out and the text says so. */
  cut(text: string): string;
}
