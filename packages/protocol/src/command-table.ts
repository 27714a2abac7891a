/** The commands that a person types after a slash, for every screen: names, other names and a line of help. */
import { permissionModes } from "./permission-request.ts";

export interface SlashCommandFacts {
  /** The name without the slash. */
  readonly name: SlashCommandName;
  readonly aliases?: readonly string[];
  readonly about: string;
}

const table = {
  help: { aliases: ["?"], about: "keys and commands" },
  init: { about: "ask the model to look at the project and write AGENTS.md, with your permission" },
  status: { about: "model, server, rules, limits, session, files in use" },
  model: { about: "choose another model of the server, or /model NAME" },
  tools: { about: "switch tools on or off, or /tools NAME on|off [session]" },
  permissions: {
    aliases: ["rules"],
    about: "show and forget rules and remembered answers; /mode changes the mode",
  },
  mode: { about: `permissions: ${permissionModes.join(" | ")}` },
  trust: { about: "the trust in this folder, for the sessions that begin after it: yes | auto | read" },
  "add-dir": {
    about: "folders beside the workspace: /add-dir PATH, PATH yes | read, remove PATH",
  },
  tasks: { aliases: ["todo"], about: "the model's list of tasks" },
  jobs: { about: "commands in the background; Enter twice ends one" },
  mcp: { about: "MCP servers, their state and their tools" },
  skills: { about: "the skills that can be used here; /NAME uses one" },
  context: { about: "what fills the prompt, the context window, and what the server had in its cache" },
  compact: { about: "make room in the context window; /compact WHAT TO KEEP IN MIND" },
  cost: { aliases: ["usage"], about: "tokens, requests and time of this session" },
  clear: { aliases: ["new"], about: "start a new session" },
  resume: { aliases: ["sessions"], about: "open an earlier session: searches all; /resume ID" },
  rename: { about: "give this session a name: /rename NAME" },
  fork: { aliases: ["rewind"], about: "go back to before an earlier message: files, conversation or both" },
  tree: { about: "the branches of this session; Enter opens one" },
  diff: { aliases: ["changes"], about: "every file that this session changed, as a diff" },
  undo: { about: "undo the file changes of the last turn, or of N: /undo N" },
  redo: { about: "redo what /undo undid" },
  copy: { about: "copy the last answer; /copy N: its Nth code block" },
  export: { about: "write the session: /export markdown|json|html [FILE]" },
  config: { aliases: ["settings"], about: "every setting, with help and checks" },
  theme: { about: "colours of the screen: /theme NAME" },
  "toggle-toolcall-json": { about: "show tool calls and results as raw JSON, or not" },
  bug: { about: "facts for a bug report; nothing is sent" },
  quit: { aliases: ["exit", "q"], about: "leave (also Ctrl+D)" },
} as const;

/** Returns what to type instead if the words after `/permissions` name a mode; otherwise undefined. */
export function modeAtPermissions(words: string): string | undefined {
  const mode = permissionModes.find((one) => one === words.trim());
  if (mode === undefined) return undefined;
  return `${mode} is a mode: /mode ${mode} changes to it. /permissions shows rules and remembered answers`;
}

export type SlashCommandName = keyof typeof table;

/** The facts about each command, by its name. */
export const commandFacts = namedRows(table);

/** All commands, in the order in which help lists them. */
export const commandTable: readonly SlashCommandFacts[] = Object.values(commandFacts);

function namedRows(
  rows: Readonly<Record<SlashCommandName, Omit<SlashCommandFacts, "name">>>,
): Readonly<Record<SlashCommandName, SlashCommandFacts>> {
  const named = Object.entries(rows).map(([name, facts]) => [name, { name, ...facts }]);
  return Object.fromEntries(named) as Record<SlashCommandName, SlashCommandFacts>;
}
