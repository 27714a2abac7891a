/** Runs the real program in a terminal of its own, made by util-linux `script`, from a shell that says how it left it. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makePlace, type Place, program } from "./run-program.ts";
import { quotedWords, spawnInTerminal } from "./spawn-in-terminal.ts";

/** True where there is util-linux `script`, and so a way to make a terminal. */
export function hasScript(): boolean {
  try {
    return execFileSync("script", ["--version"], { encoding: "utf8" }).includes("util-linux");
  } catch {
    return false;
  }
}

export interface Screen {
  /** Resolves when the text has come; fails after 15 s. */
  said(text: string | RegExp): Promise<void>;
  type(keys: string): void;
  /** All that came, escapes included. */
  text(): string;
  /** The process of the program. */
  pid(): number;
  /** The terminal's settings before the program began and after it ended. */
  settings(): { readonly before: string; readonly after: string };
  /** Hangs up. */
  end(): void;
}

export interface ScreenOptions {
  readonly place?: Place;
  /** Options of Node. */
  readonly node?: readonly string[];
}

/** The shell stays when the program gets signals; `code=` is said when the program has ended. */
export async function startScreen(args: readonly string[], options: ScreenOptions = {}): Promise<Screen> {
  const place = options.place ?? makePlace();
  const words = [process.execPath, ...(options.node ?? []), program(), ...args];
  const line = [
    "trap : INT",
    "stty -a > ../before",
    `sh -c 'echo $$ > ../pid; exec "$@"' sh ${quotedWords(words)}`,
    'code=$?; stty -a > ../after; echo "code=$code"',
  ].join("; ");
  const child = spawnInTerminal(line, place, { TERM: "xterm" });
  let text = "";
  child.stdout.on("data", (piece: string) => {
    text += piece;
  });
  const beside = (name: string) => readFileSync(join(place.workspace, "..", name), "utf8");
  return {
    async said(wanted) {
      const found = () => (typeof wanted === "string" ? text.includes(wanted) : wanted.test(text));
      for (const began = performance.now(); !found(); await sleep(10)) {
        if (performance.now() - began > 15_000) {
          throw new Error(`it did not say ${wanted}: ${JSON.stringify(text)}`);
        }
      }
    },
    type: (keys) => child.stdin.write(keys),
    text: () => text,
    pid: () => Number(beside("pid")),
    settings: () => ({ before: beside("before"), after: beside("after") }),
    end: () => child.kill("SIGKILL"),
  };
}
