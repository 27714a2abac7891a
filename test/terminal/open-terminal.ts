/**
 * Opens the real program, built as it is published, in a new terminal (made by util-linux `script`). Its output goes
 * through a terminal emulator, so that tests compare the screens that a person would see, as text.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import xterm from "@xterm/headless";
import { onTestFinished } from "vitest";
import type { FakeServer } from "../../packages/models/test/fake-server/index.ts";
import { hangMs } from "../measures.ts";
import { cachedCode, makePlace, type Place, program, start } from "../run-program.ts";
import { type InTerminal, quotedWords, spawnInTerminal } from "../spawn-in-terminal.ts";

export interface TerminalOptions {
  readonly cols?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** The model server. Its address and model name are put on the command line. */
  readonly server?: FakeServer;
  readonly place?: Place;
  /** Does not wait for the first prompt. */
  readonly atOnce?: boolean;
  /** Gives the shell job control: it prints `suspended` and resumes the program when a line is typed. */
  readonly jobs?: boolean;
}

export interface Emulated {
  readonly place: Place;
  type(text: string): void;
  /** Presses keys by name, one after another: `enter`, `esc`, `up`, `ctrl+c`, ... */
  press(...keys: readonly string[]): void;
  /** Presses a key twice in a row until the text is shown. Repeats this when a busy machine kept the presses too far apart. */
  pressTwice(key: string, text: string): Promise<void>;
  paste(text: string): void;
  /** Returns the screen, without spaces at the ends of lines and without empty lines at the end. */
  screen(): string;
  /** Returns the scrollback and the screen. */
  everything(): string;
  /** Returns every byte that the program wrote. */
  bytes(): string;
  /** Resolves with the screen when it shows the text; rejects after `withinMs`. */
  waitFor(text: string | RegExp, withinMs?: number): Promise<string>;
  /** Resolves when the condition is true; rejects after `withinMs`. */
  until(what: string, holds: () => boolean, withinMs?: number): Promise<void>;
  /** Resolves with the screen when there was no output for a moment. */
  settled(): Promise<string>;
  resize(cols: number, rows: number): Promise<void>;
  pid(): number;
  /** The emulator, for colours and the cursor. */
  readonly emulator: InstanceType<typeof xterm.Terminal>;
  /** Resolves with the exit code when the program has ended. */
  ended(): Promise<number>;
  /** Returns the terminal's settings before the program began and after it ended. */
  settings(): { readonly before: string; readonly after: string };
  /** Returns the text of a file next to the workspace. */
  beside(name: string): string;
  /** Closes the terminal. */
  close(): void;
}

/** Matches the lines around the editor, which only the editor draws. */
const prompt = /─{10}/;
const waitMs = hangMs;

export async function openTerminal(options: TerminalOptions = {}): Promise<Emulated> {
  const { cols = 80, rows = 24, place = makePlace(), server } = options;
  const wire = server === undefined ? [] : ["--base-url", server.baseUrl, "--model", "fake-model"];
  const args = [...wire, ...(options.args ?? [])];
  const words = [process.execPath, program(), ...(isAttached ? await served(args, options, place) : args)];
  const line = [
    "trap : INT",
    "tty > ../tty",
    `stty rows ${rows} cols ${cols}`,
    "stty -a > ../before",
    options.jobs === true ? "set -m" : ":",
    `sh -c 'echo $$ > ../pid; exec "$@"' sh ${quotedWords(words)}`,
    `code=$?; while [ "$code" -eq 148 ]; do stty -a > ../suspended; echo suspended; read -r line; fg; code=$?; done`,
    'stty -a > ../after; echo "$code" > ../code; echo "code=$code"',
  ].join("; ");
  const child = spawnInTerminal(line, place, { ...cachedCode(), ...options.env });
  // Also when the test fails, because an open terminal would keep the test run alive.
  onTestFinished(() => void child.kill("SIGKILL"));
  const emulator = new xterm.Terminal({ cols, rows, scrollback: 50_000, allowProposedApi: true });
  // The emulator answers terminal queries of the program.
  emulator.onData((data) => child.stdin.write(data));
  const received = { text: "", at: performance.now(), undrawn: 0 };
  child.stdout.on("data", (piece: string) => {
    received.text += piece;
    received.at = performance.now();
    received.undrawn += 1;
    emulator.write(piece, () => {
      received.undrawn -= 1;
    });
  });
  const opened = emulated(child, emulator, received, place);
  if (options.atOnce !== true) await opened.waitFor(prompt);
  return opened;
}

/** True in the run that drives the screen through `localharness serve` and `localharness attach`. */
export const isAttached = process.env["LOCALHARNESS_ATTACHED"] === "1";

/** Starts a server with the arguments of the program, and returns the arguments with which the screen attaches to it. */
async function served(
  args: readonly string[],
  { env = {} }: TerminalOptions,
  place: Place,
): Promise<readonly string[]> {
  const isOfScreen = (word: string) => /^--(?:continue|resume)(?:=|$)/.test(word);
  const ofServer = args.filter((word) => !isOfScreen(word));
  const words = ["serve", "--listen", "127.0.0.1:0", ...ofServer];
  const server = await start(words, { place, env, stdin: "open" });
  onTestFinished(() => void server.child.kill("SIGKILL"));
  await server.said(/#pair=\S+/);
  return ["attach", ...args.filter(isOfScreen)];
}

interface Received {
  readonly text: string;
  /** When the last piece came. */
  readonly at: number;
  /** The number of pieces that the emulator has not drawn yet. */
  readonly undrawn: number;
}

/** Returns true if the emulator shows a whole frame. The program writes each change of the screen between two marks. */
function showsWholeFrame({ text, undrawn }: Received): boolean {
  return undrawn === 0 && text.lastIndexOf("\u001b[?2026h") <= text.lastIndexOf("\u001b[?2026l");
}

function emulated(
  child: InTerminal,
  emulator: InstanceType<typeof xterm.Terminal>,
  received: Received,
  place: Place,
): Emulated {
  const beside = (name: string) => readFileSync(join(place.workspace, "..", name), "utf8").trim();
  const type = (text: string) => {
    child.stdin?.write(text);
  };
  const until = async (what: string, holds: () => boolean, withinMs = waitMs) => {
    for (const began = performance.now(); !holds(); await sleep(10)) {
      if (performance.now() - began > withinMs) {
        throw new Error(
          `no ${what} came; the screen:\n${screen()}\n--- the last bytes: ${JSON.stringify(received.text.slice(-600))}`,
        );
      }
    }
  };
  const linesFrom = (first: number) => {
    const { active } = emulator.buffer;
    const lines: string[] = [];
    for (let row = first; row < active.length; row += 1)
      lines.push(active.getLine(row)?.translateToString(true) ?? "");
    return lines.join("\n").trimEnd();
  };
  const screen = () => linesFrom(emulator.buffer.active.baseY);
  return {
    place,
    emulator,
    type,
    press: (...keys) => {
      for (const key of keys) type(sequence(key));
    },
    async pressTwice(key, text) {
      // After this time the earlier presses do not count as the first of a double press.
      await sleep(2_100);
      for (let tries = 0; tries < 10 && !screen().includes(text); tries += 1) {
        type(sequence(key));
        await sleep(100);
        type(sequence(key));
        await until(text, () => screen().includes(text), 5_000).catch(() => undefined);
      }
      await until(text, () => screen().includes(text));
    },
    paste: (text) => type(`\u001b[200~${text.replaceAll("\n", "\r")}\u001b[201~`),
    screen,
    everything: () => linesFrom(0),
    bytes: () => received.text,
    until,
    async waitFor(text, withinMs) {
      const shown = () => (typeof text === "string" ? screen().includes(text) : text.test(screen()));
      const came = () => showsWholeFrame(received) && shown();
      await until(String(text), came, withinMs);
      return screen();
    },
    async settled() {
      const asked = performance.now();
      await until("quiet", () => performance.now() - Math.max(asked, received.at) > 250);
      return screen();
    },
    async resize(cols, rows) {
      emulator.resize(cols, rows);
      execFileSync("stty", ["-F", beside("tty"), "rows", String(rows), "cols", String(cols)]);
    },
    pid: () => Number(beside("pid")),
    async ended() {
      await until("end", () => received.text.includes("code="));
      return Number(beside("code"));
    },
    settings: () => ({ before: beside("before"), after: beside("after") }),
    beside,
    close: () => child.kill("SIGKILL"),
  };
}

/**
 * Enter as terminals report it that tell every key apart. Unlike a line end, it cannot be from a paste, so text may follow at
 * once.
 */
export const enterKey = "\u001b[13u";

const named: Readonly<Record<string, string>> = {
  enter: "\r",
  esc: "\u001b",
  tab: "\t",
  "shift+tab": "\u001b[Z",
  "alt+enter": "\u001b\r",
  space: " ",
  backspace: "\u007f",
  up: "\u001b[A",
  down: "\u001b[B",
  right: "\u001b[C",
  left: "\u001b[D",
  home: "\u001b[H",
  end: "\u001b[F",
  delete: "\u001b[3~",
  pageup: "\u001b[5~",
  pagedown: "\u001b[6~",
};

function sequence(key: string): string {
  const known = named[key];
  if (known !== undefined) return known;
  const letter = /^ctrl\+([a-z])$/.exec(key)?.[1];
  if (letter !== undefined) return String.fromCharCode(letter.charCodeAt(0) - 96);
  if (key.length === 1) return key;
  throw new Error(`there is no key ${key}`);
}
