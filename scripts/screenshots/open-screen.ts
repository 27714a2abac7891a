/** Runs the real program in a pseudo-terminal (`script` of util-linux) and emulates the screen that a person sees. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import xterm from "@xterm/headless";
import { type HomeAndWorkspace, quotedWords, spawnInTerminal } from "../../test/spawn-in-terminal.ts";

export type Emulator = InstanceType<typeof xterm.Terminal>;

export interface OpenScreen {
  readonly emulator: Emulator;
  type(text: string): void;
  /** Resolves when the screen contains the text; rejects after 20 s. */
  waitFor(text: string | RegExp): Promise<void>;
  /** Resolves when the program has written nothing for half a second; rejects after 20 s. */
  settled(): Promise<void>;
  close(): void;
}

export interface ScreenSize {
  readonly cols: number;
  readonly rows: number;
}

const root = join(import.meta.dirname, "..", "..");
const waitMs = 20_000;

export function openScreen(size: ScreenSize, place: HomeAndWorkspace, args: readonly string[]): OpenScreen {
  const words = [process.execPath, join(root, "packages", "cli", "src", "main.ts"), ...args];
  const line = `stty rows ${size.rows} cols ${size.cols}; exec ${quotedWords(words)}`;
  const child = spawnInTerminal(line, place, { COLORTERM: "truecolor" });
  const emulator = new xterm.Terminal({ ...size, scrollback: 1_000, allowProposedApi: true });
  emulator.onData((data) => child.stdin.write(data));
  let newest = performance.now();
  child.stdout.on("data", (piece: string) => {
    newest = performance.now();
    emulator.write(piece);
  });
  const until = async (what: string, holds: () => boolean) => {
    for (const began = performance.now(); !holds(); await sleep(20)) {
      if (performance.now() - began > waitMs) {
        throw new Error(`expected ${what} within ${waitMs / 1_000} s; the screen:\n${textOf(emulator)}`);
      }
    }
  };
  return {
    emulator,
    type: (text) => void child.stdin.write(text),
    waitFor: (text) =>
      until(String(text), () =>
        typeof text === "string" ? textOf(emulator).includes(text) : text.test(textOf(emulator)),
      ),
    settled: () => until("quiet", () => performance.now() - newest > 500),
    close: () => void child.kill("SIGKILL"),
  };
}

function textOf({ buffer, rows }: Emulator): string {
  const { active } = buffer;
  return Array.from(
    { length: rows },
    (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? "",
  ).join("\n");
}
