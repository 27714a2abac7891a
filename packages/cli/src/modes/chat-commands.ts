/** Runs the slash commands of the line-by-line chat. */
import { type ChangeReport, permissionModes, suggestion } from "@localharness/protocol";
import type { Undo } from "@localharness/store/undo/undo-changes";
import { visibleLine, visibleLines } from "../terminal/plain-text.ts";
import type { Chat } from "./chat.ts";
import { say } from "./say.ts";

interface ChatCommand {
  readonly names: readonly string[];
  readonly help: string;
  run(chat: Chat, rest: string): void | Promise<void>;
}

const chatCommands: readonly ChatCommand[] = [
  { names: ["/help", "/?"], help: "this list", run: async (chat) => say(chat, await helpText(chat)) },
  {
    names: ["/mode"],
    help: `permissions: /mode ${permissionModes.join(" | ")}`,
    run: (chat, rest) => setMode(chat, rest),
  },
  {
    names: ["/model"],
    help: "the models of the server; /model NAME selects one",
    run: async (chat, rest) => (await import("./program-commands.ts")).model(chat, rest),
  },
  {
    names: ["/tools"],
    help: "the tools; /tools NAME on | off switches one",
    run: async (chat, rest) => (await import("./program-commands.ts")).tools(chat, rest),
  },
  {
    names: ["/trust"],
    help: "the trust in this folder, for new sessions: /trust yes | auto | read",
    run: async (chat, rest) => (await import("./program-commands.ts")).trust(chat, rest),
  },
  {
    names: ["/add-dir"],
    help: "folders beside the workspace: /add-dir PATH, PATH yes | read, remove PATH",
    run: async (chat, rest) => (await import("./program-commands.ts")).addDir(chat, rest),
  },
  {
    names: ["/permissions"],
    help: "rules and remembered answers; /permissions forget ID",
    run: async (chat, rest) => (await import("./program-commands.ts")).permissions(chat, rest),
  },
  {
    names: ["/tasks", "/todo"],
    help: "the model's list of tasks",
    run: async (chat) => (await import("./program-commands.ts")).tasks(chat),
  },
  {
    names: ["/mcp"],
    help: "MCP servers and their tools",
    run: async (chat) => (await import("./program-commands.ts")).mcp(chat),
  },
  {
    names: ["/skills"],
    help: "the skills that can be used here; /NAME uses one",
    run: async (chat) => (await import("./program-commands.ts")).skills(chat),
  },
  {
    names: ["/jobs"],
    help: "commands in the background; /jobs end ID",
    run: async (chat, rest) => (await import("./program-commands.ts")).jobs(chat, rest),
  },
  {
    names: ["/context"],
    help: "what fills the prompt",
    run: async (chat) => (await import("./program-commands.ts")).context(chat),
  },
  {
    names: ["/compact"],
    help: "make room in the context window; /compact WHAT TO KEEP IN MIND",
    run: async (chat, keep) => chat.session.send({ type: "compact", ...(keep === "" ? {} : { keep }) }),
  },
  {
    names: ["/cost"],
    help: "requests, tokens and time of this session",
    run: async (chat) => (await import("./program-commands.ts")).cost(chat),
  },
  {
    names: ["/config"],
    help: "the settings; /config KEY VALUE saves one for the next start",
    run: async (chat, rest) => (await import("./program-commands.ts")).config(chat, rest),
  },
  {
    names: ["/bug"],
    help: "facts for a bug report; nothing is sent",
    run: async (chat) => (await import("./program-commands.ts")).bug(chat),
  },
  {
    names: ["/files"],
    help: "the files of the workspace, as a tree",
    run: async (chat) => say(chat, await chat.options.listTree()),
  },
  {
    names: ["/undo"],
    help: "undo the file changes of the last turn; /undo 3: of the last three turns",
    run: (chat, rest) => undo(chat, rest),
  },
  { names: ["/redo"], help: "redo the last undo", run: (chat) => redo(chat) },
  {
    names: ["/new", "/clear"],
    help: "start a new session",
    run: (chat) => startOver(chat),
  },
  {
    names: ["/resume"],
    help: "earlier sessions: /resume, /resume NUMBER or ID",
    run: async (chat, rest) => (await import("./session-commands.ts")).resume(chat, rest),
  },
  {
    names: ["/fork"],
    help: "branch off before one of your messages: /fork, /fork NUMBER",
    run: async (chat, rest) => (await import("./session-commands.ts")).fork(chat, rest),
  },
  {
    names: ["/tree"],
    help: "the branches of this session, as a tree",
    run: async (chat) => (await import("./session-commands.ts")).tree(chat),
  },
  {
    names: ["/rename"],
    help: "give this session a name: /rename NAME",
    run: async (chat, rest) => (await import("./session-commands.ts")).rename(chat, rest),
  },
  {
    names: ["/export"],
    help: "write this session to a file: /export [markdown | json | html] [FILE]",
    run: async (chat, rest) => (await import("./session-commands.ts")).exportHere(chat, rest),
  },
  { names: ["/quit", "/exit", "/q"], help: "leave (also Ctrl-D)", run: (chat) => leave(chat) },
];

/** Returns true if a line names a built-in command. */
export function isChatCommand(line: string): boolean {
  const [word = ""] = line.trim().split(/\s+/);
  return chatCommands.some(({ names }) => names.includes(word));
}

/** Runs the command that a line names; rejects if it fails. For an unknown name, prints a message with the nearest command. */
export async function runChatCommand(chat: Chat, line: string): Promise<void> {
  const [word = "", ...rest] = line.trim().split(/\s+/);
  const command = chatCommands.find((one) => one.names.includes(word));
  if (command !== undefined) return command.run(chat, rest.join(" "));
  const hint = suggestion(
    word,
    chatCommands.flatMap((one) => one.names),
  );
  say(chat, `unknown command ${word}.${hint} /help lists the commands.`);
}

async function helpText({ commands: own }: Chat): Promise<string> {
  const { commands, warnings } = await own.list();
  const row = (name: string, help: string) => `${name.padEnd(20)} ${help}`;
  return [
    ...chatCommands.map(({ names, help }) => row(names.join(", "), help)),
    row("/init", "asks the model to look at the project and write AGENTS.md"),
    ...commands.map(({ name, argumentHint = "", about }) =>
      row(visibleLine(`/${name} ${argumentHint}`.trimEnd()), visibleLine(about)),
    ),
    ...warnings.map((warning) => `! ${visibleLines(warning)}`),
  ].join("\n");
}

function setMode(chat: Chat, rest: string): void {
  const mode = permissionModes.find((one) => one === rest);
  if (mode !== undefined) chat.session.send({ type: "set-mode", mode });
  const now = chat.session.mode();
  say(chat, mode === undefined ? `mode is ${now}; available: ${permissionModes.join(", ")}` : `mode ${mode}`);
}

async function undo(chat: Chat, rest: string): Promise<void> {
  const turns = /^[1-9][0-9]{0,3}$/.test(rest) ? Number(rest) : 1;
  if (rest !== "" && rest !== String(turns)) return say(chat, "/undo takes a number of turns: /undo 3");
  await report(chat, async (changes) => {
    const previews = await changes.preview(chat.session.id, turns);
    for (const {
      lines: [what = ""],
    } of previews)
      say(chat, visibleLine(`undoing: ${what}`));
    return changes.undo(chat.session.id, turns);
  });
}

async function redo(chat: Chat): Promise<void> {
  await report(chat, async (changes) => changes.redo(chat.session.id));
}

async function report(chat: Chat, work: (changes: Undo) => Promise<ChangeReport>): Promise<void> {
  if (chat.session.view().turn.running) return say(chat, "a turn is running: Ctrl-C interrupts it");
  const { lines } = await work(await chat.options.openUndo());
  say(chat, lines.map(visibleLine).join("\n"));
}

async function startOver(chat: Chat): Promise<void> {
  const running = chat.session.view().turn.running;
  if (!running) await chat.startOver();
  say(chat, running ? "a turn is running: Ctrl-C interrupts it" : "started a new session");
}

function leave(chat: Chat): void {
  chat.leaving = true;
  chat.session.send({ type: "interrupt" });
}
