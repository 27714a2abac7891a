/** Runs the bundled ripgrep, or the system's ripgrep if none is bundled. */
import type { Outcome } from "@localharness/workspace/outcome";
import { found, refused } from "@localharness/workspace/outcome";
import type { Programs } from "../children/programs.ts";

const timeoutMs = 30_000;

/**
 * The arguments that exclude version control folders. They must be the last globs, because the last matching glob decides.
 */
export const skippedFolders = [".git", ".hg", ".svn", ".bzr"].map((name) => `--glob=!${name}`);

/** The arguments of each search. They ignore configuration files, and apply `.gitignore` files even without a repository. */
const always = ["--no-config", "--no-require-git", "--color=never", "--sort=path"];

export interface SearchRequest {
  readonly args: readonly string[];
  /** The folder to run in; results are relative to it. */
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Returns false for a path (relative to `cwd`) that must not be mentioned; complaints about it are dropped. */
  isThere(path: string): boolean;
  /** Receives one line without its line end. Returns false to stop. */
  onLine(line: string): boolean;
}

export interface SearchEnd {
  /** True if nothing matched. */
  readonly empty: boolean;
  /** Ripgrep's error output, such as unreadable folders; at most 2,000 characters. */
  readonly complaints: string;
  /** True if `onLine` stopped the search. */
  readonly stopped: boolean;
}

/**
 * Runs one search. Fails with `validation_failed` if ripgrep refuses the pattern or a glob. Also fails if ripgrep cannot be
 * started, is interrupted or killed, or takes more than 30 s.
 */
export async function runRipgrep(programs: Programs, request: SearchRequest): Promise<Outcome<SearchEnd>> {
  const stop = new AbortController();
  const lines = createLineSplitter((line) => {
    if (!stop.signal.aborted && !request.onLine(line)) {
      stop.abort();
    }
  });
  let complaints = "";
  const { end } = await programs.run({
    program: await ripgrepPath(),
    args: [...always, ...request.args],
    cwd: request.cwd,
    timeoutMs,
    signal: AbortSignal.any([request.signal, stop.signal]),
    alone: true,
    onOutput: lines.push,
    onErrorOutput: (chunk) => {
      complaints = (complaints + chunk.toString("utf8")).slice(0, 2000);
    },
  });
  lines.end();
  complaints = complaints
    .split("\n")
    .filter((line) => mayComplain(line, request))
    .join("\n");
  if (stop.signal.aborted) return found({ empty: false, complaints, stopped: true });
  switch (end.kind) {
    case "cancelled":
      return refused("cancelled", "The search was stopped because of an interrupt.");
    case "timeout":
      return refused(
        "timeout",
        `The search took longer than ${timeoutMs / 1000} s. Search in a subfolder or with a file_filter.`,
      );
    case "not-started":
      return refused(
        "io_error",
        `ripgrep (rg), which does the search, could not be started (${end.code}). Install it or use bash with grep.`,
      );
    case "killed":
      return refused(
        "io_error",
        `The search was ended by ${end.signal}. Search in a subfolder or with a file_filter.`,
      );
    case "exited":
      return end.code === 2 && lines.count() === 0 && complaints !== ""
        ? refused("validation_failed", firstComplaint(complaints))
        : found({ empty: end.code === 1, complaints, stopped: false });
  }
}

/** Returns true for a complaint about a path that may be mentioned (`rg: ./a/b: No such file (os error 2)`), or about no path. */
function mayComplain(line: string, request: SearchRequest): boolean {
  const path = /^rg: \.\/(.*): [^:]+ \(os error \d+\)$/.exec(line)?.[1];
  return path === undefined ? !line.includes("./") : request.isThere(path);
}

function firstComplaint(complaints: string): string {
  return `The search failed: ${complaints.replaceAll(/^rg: /gm, "").trim()}`;
}

export async function ripgrepPath(): Promise<string> {
  try {
    const { rgPath } = await import("@vscode/ripgrep");
    return rgPath;
  } catch {
    return "rg";
  }
}

/** Splits chunks into decoded lines; cuts a line longer than 64 KiB. */
function createLineSplitter(onLine: (line: string) => void) {
  let rest = Buffer.alloc(0);
  let count = 0;
  const emit = (line: Buffer) => {
    count += 1;
    onLine(line.subarray(0, 65_536).toString("utf8"));
  };
  return {
    push: (chunk: Buffer) => {
      let start = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
        emit(
          rest.length > 0 ? Buffer.concat([rest, chunk.subarray(start, end)]) : chunk.subarray(start, end),
        );
        rest = Buffer.alloc(0);
        start = end + 1;
      }
      if (rest.length < 65_536) {
        rest = Buffer.concat([rest, chunk.subarray(start)]);
      }
    },
    end: () => {
      if (rest.length > 0) {
        emit(rest);
      }
    },
    count: () => count,
  };
}
