/** The commands that a person types after a slash, for every screen: names, other names, help, and the screens that have them. */
import { permissionModes } from "./permission-request.ts";

/** The terminal app, the line chat, the page in a browser. */
export type ScreenKind = "terminal" | "lines" | "browser";

interface CommandRow {
  readonly aliases?: readonly string[];
  /** The line of help. */
  readonly about: string;
  /** The help of the line chat if it differs, because nothing can be chosen from a list there. */
  readonly inLines?: string;
  /** The screens that have the command; absent if all have it. */
  readonly screens?: readonly ScreenKind[];
}

export interface SlashCommandFacts<Name extends SlashCommandName = SlashCommandName> extends CommandRow {
  /** The name without the slash. */
  readonly name: Name;
}

const table = {
  help: { aliases: ["?"], about: "keys and commands", inLines: "this list" },
  init: { about: "ask the model to look at the project and write AGENTS.md, with your permission" },
  status: { about: "model, server, rules, limits, session, files in use" },
  model: { about: "choose another model of the server, or /model NAME" },
  tools: { about: "switch tools on or off, or /tools NAME on|off [session]" },
  permissions: {
    aliases: ["rules"],
    about: "show and forget rules and remembered answers; /mode changes the mode",
    inLines: "rules and remembered answers: /permissions forget ID; /mode changes the mode",
  },
  mode: { about: `permissions: ${permissionModes.join(" | ")}` },
  trust: { about: "the trust in this folder, for the sessions that begin after it: yes | auto | read" },
  "add-dir": {
    about: "folders beside the workspace: /add-dir PATH, PATH yes | read, remove PATH",
  },
  tasks: { aliases: ["todo"], about: "the model's list of tasks" },
  jobs: {
    about: "commands in the background; Enter twice ends one",
    inLines: "commands in the background; /jobs end ID",
  },
  mcp: { about: "MCP servers, their state and their tools" },
  skills: { about: "the skills that can be used here; /NAME uses one" },
  context: { about: "what fills the prompt, the context window, and what the server had in its cache" },
  compact: { about: "make room in the context window; /compact WHAT TO KEEP IN MIND" },
  cost: { aliases: ["usage"], about: "tokens, requests and time of this session" },
  clear: { aliases: ["new"], about: "start a new session" },
  resume: {
    aliases: ["sessions"],
    about: "open an earlier session: searches all; /resume ID",
    inLines: "open an earlier session: /resume lists them; /resume NUMBER or ID",
  },
  rename: { about: "give this session a name: /rename NAME" },
  fork: {
    aliases: ["rewind"],
    about: "go back to before an earlier message: files, conversation or both",
    inLines: "branch off before one of your messages: /fork, /fork NUMBER",
  },
  tree: {
    about: "the branches of this session; Enter opens one",
    inLines: "the branches of this session; /resume ID opens one",
  },
  files: { about: "the files of the workspace, as a tree", screens: ["lines", "browser"] },
  diff: { aliases: ["changes"], about: "every file that this session changed, as a diff" },
  undo: { about: "undo the file changes of the last turn, or of N: /undo N" },
  redo: { about: "redo what /undo undid" },
  copy: { about: "copy the last answer; /copy N: its Nth code block", screens: ["terminal", "browser"] },
  export: { about: "write the session: /export markdown|json|html [FILE]" },
  config: {
    aliases: ["settings"],
    about: "every setting, with help and checks",
    inLines: "every setting; /config KEY VALUE saves one for the next start",
  },
  theme: { about: "colours of the screen: /theme NAME", screens: ["terminal", "browser"] },
  "toggle-toolcall-json": {
    about: "show tool calls and results as raw JSON, or not",
    screens: ["terminal", "browser"],
  },
  bug: { about: "facts for a bug report; nothing is sent" },
  quit: { aliases: ["exit", "q"], about: "leave (also Ctrl+D)", screens: ["terminal", "lines"] },
} as const satisfies Readonly<Record<string, CommandRow>>;

type Table = typeof table;
export type SlashCommandName = keyof Table;

/** The names of the commands that a kind of screen has. */
export type CommandOn<Kind extends ScreenKind> = {
  [Name in SlashCommandName]: Table[Name] extends { readonly screens: readonly (infer Some)[] }
    ? Kind extends Some
      ? Name
      : never
    : Name;
}[SlashCommandName];

/** All commands, in the order in which help lists them. */
export const commandTable: readonly SlashCommandFacts[] = namesOf().map((name) => ({ name, ...table[name] }));

function namesOf(): readonly SlashCommandName[] {
  return Object.keys(table) as SlashCommandName[];
}
