/** `!command`: the person runs it, nobody is asked, Esc ends it, and the model is told with the next message. */
import { reasonOf } from "@localharness/protocol";
import type { App } from "./app.ts";
import { drawItem } from "./transcript/draw-item.ts";
import type { Item } from "./transcript/item.ts";

export interface PersonsCommands {
  run(command: string): Promise<void>;
  /** Ends the one that runs; false when none does. */
  stop(): boolean;
  /** The one that runs, with the end of what it has written. */
  draw(width: number): readonly string[];
}

export interface CommandSurroundings {
  readonly app: App;
  add(item: Item): void;
  /** Goes to the model with the next message. */
  addBeside(text: string): void;
  ended(): void;
}

/** So much of the output goes to the model. */
const toldChars = 8_000;

export function createPersonsCommands({ app, add, addBeside, ended }: CommandSurroundings): PersonsCommands {
  let running: { readonly command: string; readonly stop: AbortController; tail: string } | undefined;

  async function run(command: string): Promise<void> {
    if (running !== undefined) {
      app.say("a command of yours is running: Esc ends it", "warning");
      return;
    }
    const own = { command, stop: new AbortController(), tail: "" };
    running = own;
    app.redraw();
    try {
      const { exitCode, output } = await app.host.runCommand(command, own.stop.signal, (text) => {
        own.tail = text.slice(-1_000);
        app.redraw();
      });
      add({ kind: "command", command, output, exitCode });
      const told = output.length <= toldChars ? output : `${output.slice(0, toldChars)}\n(cut)`;
      addBeside(`I ran \`${command}\` (exit ${exitCode ?? "unknown"}):\n${told}`);
    } catch (error) {
      app.say(reasonOf(error), "error");
    } finally {
      running = undefined;
      ended();
      app.redraw();
    }
  }

  return {
    run,
    stop() {
      running?.stop.abort();
      return running !== undefined;
    },
    draw(width) {
      if (running === undefined) return [];
      const output = running.tail.trimEnd().split("\n").slice(-3).join("\n");
      const item: Item = { kind: "command", command: running.command, output, exitCode: 0 };
      const lines = drawItem(item, width, { theme: app.theme(), opened: false, rawCalls: false });
      return [...lines.slice(0, 4), app.theme().style("dim", "  runs · Esc ends it")];
    },
  };
}
