/** Runs the real program in a new terminal, made by util-linux `script`, from a shell that reports the terminal's settings. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { hangMs } from "./measures.ts";
import { cachedCode, makePlace, type Place, program } from "./run-program.ts";
import { quotedWords, spawnInTerminal } from "./spawn-in-terminal.ts";

/** Returns true when util-linux `script`, which makes the terminal, is installed. */
export function hasScript(): boolean {
  try {
    return execFileSync("script", ["--version"], { encoding: "utf8" }).includes("util-linux");
  } catch {
    return false;
  }
}

export interface Screen {
  /** Resolves when the text has been printed; rejects after `hangMs`. */
  said(text: string | RegExp): Promise<void>;
  type(keys: string): void;
  /** Returns all output, escape sequences included. */
  text(): string;
  /** Returns the process id of the program. */
  pid(): number;
  /** Returns the terminal's settings before the program began and after it ended. */
  settings(): { readonly before: string; readonly after: string };
  /** Closes the terminal. */
  end(): void;
}

export interface ScreenOptions {
  readonly place?: Place;
  /** Options for Node. */
  readonly node?: readonly string[];
}

/** Presses Ctrl-C twice in a row. Repeats this when the machine was so busy that the presses were too far apart. */
export async function pressTwice(screen: Pick<Screen, "said" | "type">, wanted: string): Promise<void> {
  const said = screen.said(wanted).then(() => true);
  for (let over = false; !over; over = await Promise.race([said, sleep(5_000, false)])) {
    screen.type("\u0003");
    await sleep(apartMs);
    screen.type("\u0003");
  }
}

/** Time between the two presses: presses sooner than this may count as one, presses more than a second apart as separate. */
const apartMs = 150;

/** Starts the program from a shell, which survives Ctrl-C and prints `code=` when the program has ended. */
export async function startScreen(args: readonly string[], options: ScreenOptions = {}): Promise<Screen> {
  const place = options.place ?? makePlace();
  const words = [process.execPath, ...(options.node ?? []), program(), ...args];
  const line = [
    "trap : INT",
    "stty -a > ../before",
    `sh -c 'echo $$ > ../pid; exec "$@"' sh ${quotedWords(words)}`,
    'code=$?; stty -a > ../after; echo "code=$code"',
  ].join("; ");
  const child = spawnInTerminal(line, place, { ...cachedCode(), TERM: "xterm" });
  // Also when the test fails, because an open terminal would keep the test run alive.
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
