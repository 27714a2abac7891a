/**
 * Runs a `!command` of the person without a permission. Esc stops it. The next message to the model contains the command and
 * its output. A `!!command`, or one that needs the terminal, runs in the terminal; the model then gets no output.
 */
import { defined, reasonOf } from "@localharness/protocol";
import type { App } from "./app.ts";
import { needsTerminal } from "./needs-terminal.ts";
import type { TerminalLoan } from "./screen/lend-terminal.ts";
import { drawItem } from "./transcript/draw-item.ts";
import type { DrawnItem } from "./transcript/item.ts";

export interface PersonsCommands {
  run(command: string): Promise<void>;
  /** Stops the running command. Returns false if no command is running. */
  stop(): boolean;
  /** Returns the lines that show the running command and the end of its output. */
  draw(width: number): readonly string[];
}

export interface CommandSurroundings {
  readonly app: App;
  loan(): TerminalLoan;
  add(item: DrawnItem): void;
  /** Adds a text that is sent to the model with the next message. */
  addToNext(text: string): void;
  ended(): void;
}

/** The maximum length of the output that the model gets, in UTF-16 units. */
const maxToldChars = 8_000;

/** Replaces the output of a command that ran in the terminal. */
const ranThere =
  "It ran in your terminal, so its output is not kept here: the model gets only the command and its exit code.";

export function createPersonsCommands(around: CommandSurroundings): PersonsCommands {
  const { app, add, addToNext, ended } = around;
  let running: { readonly command: string; readonly stop: AbortController; tail: string } | undefined;

  async function runInTerminal(command: string): Promise<void> {
    try {
      const { exitCode } = await app.host.runInTerminal(command);
      add({ kind: "command", command, output: ranThere, running: false, ...defined({ exitCode }) });
      addToNext(`I ran \`${command}\` in my terminal (exit ${exitCode ?? "unknown"}).`);
    } catch (error) {
      app.say(reasonOf(error), "error");
    } finally {
      ended();
    }
  }

  async function run(given: string): Promise<void> {
    const command = given.replace(/^!\s*/, "");
    if (command === "") return;
    if (command !== given || needsTerminal(command)) {
      await around.loan().lend(() => runInTerminal(command));
      return;
    }
    if (running !== undefined) {
      app.say("a command is already running: Esc stops it", "warning");
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
      add({ kind: "command", command, output, running: false, ...defined({ exitCode }) });
      const told = output.length <= maxToldChars ? output : `${output.slice(0, maxToldChars)}\n(cut)`;
      addToNext(`I ran \`${command}\` (exit ${exitCode ?? "unknown"}):\n${told}`);
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
      const item: DrawnItem = {
        kind: "command",
        command: running.command,
        output,
        running: true,
        exitCode: 0,
      };
      const lines = drawItem(item, width, { theme: app.theme(), opened: false, rawCalls: false });
      return [...lines.slice(0, 4), app.theme().style("dim", "  running · Esc stops it")];
    },
  };
}
