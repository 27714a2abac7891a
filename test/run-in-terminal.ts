/** Runs the real program in a terminal of its own, made by util-linux `script`, from a shell that says how it left it. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { hangMs } from "./measures.ts";
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
  /** Resolves when the text has come; fails when it hangs. */
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

/** Presses Ctrl-C twice in a row, and again where the machine was so busy that they were too far apart. */
export async function pressTwice(screen: Pick<Screen, "said" | "type">, wanted: string): Promise<void> {
  const said = screen.said(wanted).then(() => true);
  for (let over = false; !over; over = await Promise.race([said, sleep(5_000, false)])) {
    screen.type("\u0003");
    await sleep(apartMs);
    screen.type("\u0003");
  }
}

/** Two presses that come sooner may be one; those that come more than a second apart are not in a row. */
const apartMs = 150;

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
  // Also where the test fails: a terminal that stays open holds the run.
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  child.stdout.on("data", (piece: string) => {
    text += piece;
  });
  const beside = (name: string) => readFileSync(join(place.workspace, "..", name), "utf8");
  return {
    async said(wanted) {
      const found = () => (typeof wanted === "string" ? text.includes(wanted) : wanted.test(text));
      for (const began = performance.now(); !found(); await sleep(10)) {
        if (performance.now() - began > hangMs) {
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
