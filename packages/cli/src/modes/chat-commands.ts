/** Runs the slash commands of the line chat. */
import type { CommandOn } from "@localharness/protocol";
import {
  checkInit,
  checkRedo,
  commandLines,
  commandNamed,
  modeText,
  readMode,
  readUndoTurns,
  unknownCommand,
} from "@localharness/protocol/command-texts";
import { visibleLine, visibleLines } from "../terminal/plain-text.ts";
import type { Chat, ChatCommandRun } from "./chat.ts";
import { hostCommands } from "./host-commands.ts";
import { say } from "./say.ts";
import { sessionCommands } from "./session-commands.ts";

export const chatCommands: Readonly<Record<CommandOn<"lines">, ChatCommandRun>> = {
  ...hostCommands,
  ...sessionCommands,
  help: async (chat) => say(chat, await helpText(chat)),
  async init(chat, rest) {
    checkInit(chat.session.mode());
    return chat.commands.expand("init", rest);
  },
  mode(chat, rest) {
    const mode = readMode(rest, chat.session.mode());
    if (mode !== undefined) chat.session.send({ type: "set-mode", mode });
    say(chat, mode === undefined ? modeText(chat.session.mode()) : `mode ${mode}`);
  },
  files: async (chat) => say(chat, await chat.options.listTree()),
  compact: (chat, keep) => chat.session.send({ type: "compact", ...(keep === "" ? {} : { keep }) }),
  async undo(chat, rest) {
    const turns = readUndoTurns(rest);
    if (isBusy(chat)) return;
    const host = await chat.methods();
    for (const { lines } of await host.previewUndo(turns)) {
      say(chat, visibleLine(`undoing: ${lines[0] ?? ""}`));
    }
    say(chat, (await host.undo(turns)).lines.map(visibleLine).join("\n"));
  },
  async redo(chat, rest) {
    checkRedo(rest);
    if (isBusy(chat)) return;
    say(chat, (await (await chat.methods()).redo()).lines.map(visibleLine).join("\n"));
  },
  async clear(chat) {
    if (isBusy(chat)) return;
    await chat.startOver();
    say(chat, "started a new session");
  },
  quit(chat) {
    chat.leaving = true;
    chat.session.send({ type: "interrupt" });
  },
};

/** Returns true if a turn runs, and says so. */
function isBusy(chat: Chat): boolean {
  const { running } = chat.session.view().turn;
  if (running) say(chat, "a turn is running: Ctrl-C interrupts it");
  return running;
}

async function helpText({ commands: own }: Chat): Promise<string> {
  const { commands, warnings } = await own.list();
  const owns = commands.map(({ name, argumentHint = "", about }) => ({
    name: `${name} ${argumentHint}`.trimEnd(),
    about,
  }));
  const lines = commandLines("lines", owns).map(visibleLine);
  return [...lines, ...warnings.map((warning) => `! ${visibleLines(warning)}`)].join("\n");
}

/**
 * Runs the command that a line names; rejects if it fails. For an unknown command prints the nearest one. Returns the message
 * of a custom command, and of any other line, such as one that begins with a path, the line as it is; else undefined.
 */
export async function runChatCommand(chat: Chat, line: string): Promise<string | undefined> {
  const [, word = "", rest = ""] = /^(\S*)\s*([\s\S]*)$/.exec(line.slice(1).trim()) ?? [];
  const command = commandNamed("lines", word);
  if (command !== undefined) return (await chatCommands[command](chat, rest)) ?? undefined;
  const message = await chat.commands.expandLine(line);
  if (message !== line || word.includes("/")) return message;
  const own = await chat.commands.list();
  say(
    chat,
    unknownCommand(
      "lines",
      word,
      own.commands.map(({ name }) => name),
    ),
  );
  return undefined;
}
