/** Runs the real program, built as it is published, as a child process in a new home folder and workspace. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { inject } from "vitest";

export const root = join(import.meta.dirname, "..");

const madeFolders: string[] = [];

/** Removes what `makePlace` made; `remove-places.ts` calls it after each test file. */
export function removePlaces(): void {
  for (const folder of madeFolders.splice(0))
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/** Returns the start file of the program, which is built once for all test files. */
export function program(): string {
  return join(inject("builtProgram"), "bin", "localharness");
}

/**
 * Returns the environment with which the built program finds its compiled code, so that it does not compile in each test.
 * Throws outside of vitest.
 */
export function cachedCode(): { readonly PATH: string; readonly XDG_CACHE_HOME: string } {
  return { PATH: process.env["PATH"] ?? "", XDG_CACHE_HOME: `${inject("builtProgram")}-cache` };
}

export interface Place {
  readonly home: string;
  readonly workspace: string;
}

/** Makes a home folder and a workspace with these files. `trusted` false: the person has not been asked about the folder. */
export function makePlace(files: Readonly<Record<string, string>> = {}, trusted = true): Place {
  const root = mkdtempSync(join(tmpdir(), "lh-run-"));
  madeFolders.push(root);
  const place = { home: join(root, "home"), workspace: join(root, "ws") };
  mkdirSync(place.home);
  mkdirSync(place.workspace);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place.workspace, path)), { recursive: true });
    writeFileSync(join(place.workspace, path), text);
  }
  if (trusted) {
    const path = realpathSync(place.workspace);
    const folder = { path, owner: statSync(path).uid, trusted, decided: 0 };
    configure(place, "trust.json", JSON.stringify({ version: 1, folders: [folder] }));
  }
  return place;
}

/** Writes a file into the program's configuration folder and returns its path. */
export function configure(place: Place, name: string, text: string, mode = 0o600): string {
  const folder = join(place.home, ".config", "localharness");
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text, { mode });
  return join(folder, name);
}

export interface Run {
  readonly child: ChildProcess;
  /** Returns the output so far. */
  output(): { readonly stdout: string; readonly stderr: string };
  /** Resolves when the text has been printed on either stream. Rejects if the program ends without printing it. */
  said(text: string | RegExp): Promise<void>;
  readonly ended: Promise<Ended>;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface StartOptions {
  readonly place?: Place;
  /** Text for stdin, which is then closed. `"open"` leaves stdin open; when absent, stdin is /dev/null. */
  readonly stdin?: string | "open";
  readonly env?: Readonly<Record<string, string>>;
  /** Starts a new process group, so that a signal to the group reaches only the program and its children. */
  readonly ownGroup?: boolean;
  /** The program to start in place of the built one. */
  readonly program?: readonly string[];
}

/** Starts the program without any of this machine's configuration. */
export async function start(args: readonly string[], options: StartOptions = {}): Promise<Run> {
  const place = options.place ?? makePlace();
  const [command = process.execPath, ...rest] = options.program ?? [process.execPath, program()];
  const child = spawn(command, [...rest, ...args], {
    cwd: place.workspace,
    env: { ...cachedCode(), HOME: place.home, LANG: "C.UTF-8", NO_COLOR: "1", ...options.env },
    stdio: [options.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    detached: options.ownGroup === true,
  });
  if (options.stdin !== undefined && options.stdin !== "open") child.stdin?.end(options.stdin);
  return watch(child);
}

function watch(child: ChildProcess): Run {
  const texts = { stdout: "", stderr: "" };
  const watchers = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (piece: string) => {
      texts[name] += piece;
      for (const look of watchers) look();
    });
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, ...texts }));
  });
  return {
    child,
    output: () => ({ ...texts }),
    ended,
    said: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const all = texts.stdout + texts.stderr;
          if (typeof text === "string" ? !all.includes(text) : !text.test(all)) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
        void ended.then(() =>
          reject(new Error(`it ended without saying ${text}:\n${texts.stdout}\n${texts.stderr}`)),
        );
      }),
  };
}

/** Starts the program and waits for its end. */
export async function run(args: readonly string[], options: StartOptions = {}): Promise<Ended> {
  const { ended } = await start(args, options);
  return ended;
}
