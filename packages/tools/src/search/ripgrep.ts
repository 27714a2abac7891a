/** Runs ripgrep, the one that comes with the program or else the system's. */
import type { Outcome } from "../outcome.ts";
import { found, refused } from "../outcome.ts";
import type { ToolResources } from "../resources.ts";

const timeoutMs = 30_000;

/** Version control folders are never searched; these come last, since the last glob that matches decides. */
export const skippedFolders = [".git", ".hg", ".svn", ".bzr"].map((name) => `--glob=!${name}`);

/** Never reads a configuration file, never asks a `.gitignore` whether there is a repository. */
const always = ["--no-config", "--no-require-git", "--color=never", "--sort=path"];

export interface SearchRequest {
  readonly args: readonly string[];
  /** The folder to run in; results are relative to it. */
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** False for a path (relative to `cwd`) that is not to be spoken of: complaints about it are left out. */
  isThere(path: string): boolean;
  /** One line without its end. Return false to stop. */
  onLine(line: string): boolean;
}

export interface SearchEnd {
  /** True when nothing at all matched. */
  readonly empty: boolean;
  /** What ripgrep complained about, at most 2,000 characters; such as folders it may not read. */
  readonly complaints: string;
  /** True when it was told to stop. */
  readonly stopped: boolean;
}

/** Fails with `validation_failed` when ripgrep refuses the pattern or a glob. */
export async function runRipgrep(
  resources: ToolResources,
  request: SearchRequest,
): Promise<Outcome<SearchEnd>> {
  const stop = new AbortController();
  const lines = createLineSplitter((line) => {
    if (!stop.signal.aborted && !request.onLine(line)) {
      stop.abort();
    }
  });
  let complaints = "";
  const { end } = await resources.programs.run({
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
  if (stop.signal.aborted) {
    return found({ empty: false, complaints, stopped: true });
  }
  switch (end.kind) {
    case "cancelled":
      return refused("cancelled", "The search was stopped because the person interrupted.");
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

/** `rg: ./a/b: No such file or directory (os error 2)`, and what is not about a file. */
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

/** Chunks to lines, decoded; a line longer than 64 KiB is cut. */
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
