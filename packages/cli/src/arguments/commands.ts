/** Defines the commands as data: the summary, usage, options and notes of each command. */
import { fields } from "@localharness/harness/config/fields";
import type { FlagName } from "./flags.ts";

export type CommandName =
  | "chat"
  | "tool"
  | "policy"
  | "trust"
  | "audit"
  | "hooks"
  | "mcp"
  | "lend"
  | "undo"
  | "redo"
  | "sandbox"
  | "agents"
  | "skills"
  | "index"
  | "detect"
  | "models"
  | "doctor"
  | "sessions"
  | "config"
  | "loop"
  | "serve"
  | "attach"
  | "demo"
  | "completions";

export interface CommandSpec {
  readonly name: CommandName;
  /** The command with its subcommands or arguments, for the list of commands in `--help`; empty for the chat. */
  readonly title: string;
  readonly usage: readonly string[];
  readonly summary: string;
  readonly flags: readonly FlagName[];
  /** Help texts for options that have another meaning in this command. */
  readonly flagWords?: Partial<Record<FlagName, { readonly value: string; readonly help: string }>>;
  readonly notes?: readonly string[];
}

const settingOptions = fields.flatMap(({ option }) => option ?? []);
const settingFlags: readonly FlagName[] = settingOptions.map(({ name }) => name);
const sessionFlags: readonly FlagName[] = [
  ...settingOptions.flatMap(({ name, onlyChat }) => (onlyChat === true ? [] : name)),
  "record",
  "replay",
  "workspace",
  "add-dir",
  "answer",
  "allow",
  "trust",
  "max-turns",
  "timeout",
];

export const commands: readonly CommandSpec[] = [
  {
    name: "chat",
    title: "",
    usage: ['localharness ["message"]', 'localharness -p "message"', "... | localharness -p"],
    summary: "talk with a model that works in this folder",
    flags: [
      "print",
      "interactive",
      ...settingFlags,
      "image",
      "continue",
      "resume",
      "output",
      "input",
      "schema",
      ...sessionFlags,
    ],
    notes: [
      "Without a terminal the message is answered as with --print; text from stdin is added to it.",
      "When nobody can be asked, calls that need permission are denied: allow them with --allow, --answer or --mode.",
    ],
  },
  {
    name: "tool",
    title: "tool list|call",
    usage: ["localharness tool list", "localharness tool call NAME 'JSON'"],
    summary: "list the tools, or run one call under the same permissions",
    flags: ["workspace", "mode", "tools", "answer", "sandbox", "json"],
  },
  {
    name: "policy",
    title: "policy list|add|...",
    usage: [
      "localharness policy list",
      "localharness policy add allow|ask|deny [--tool NAME] [--path GLOB] [--command WORDS]",
      "localharness policy add 'JSON'",
      "localharness policy forget ID",
      "localharness policy explain NAME 'JSON'",
      "localharness policy test [FILE]",
      "localharness policy schema",
    ],
    summary: "show, add and forget rules, explain a decision, check a file of rules",
    flags: ["workspace", "add-dir", "mode", "tool", "path", "access", "command", "because", "here", "json"],
    notes: [
      "Of all rules that match, deny overrides ask, and ask overrides allow. Rules of the project can only deny or ask.",
      "test checks the rules of FILE, or without FILE the rules in force, and their examples.",
    ],
  },
  {
    name: "trust",
    title: "trust list|add|forget",
    usage: ["localharness trust list", "localharness trust add [DIR]", "localharness trust forget [DIR]"],
    summary: "list, add and forget folders whose files you trust",
    flags: ["json"],
  },
  {
    name: "audit",
    title: "audit",
    usage: ["localharness audit [--since TIME] [--denied]"],
    summary: "show which calls were asked about, decided and run in this folder",
    flags: ["workspace", "since", "denied", "json"],
  },
  {
    name: "hooks",
    title: "hooks list|allow|forget",
    usage: [
      "localharness hooks list",
      "localharness hooks allow [--sandbox off]",
      "localharness hooks forget",
    ],
    summary: "list the programs that check calls; allow those of this project",
    flags: ["workspace", "sandbox", "json"],
    notes: [
      "Your own hooks are in config.json (hooks). A project's hooks run only if the project is trusted and you allowed them in their present state. They run in the sandbox, unless you allow them with --sandbox off.",
    ],
  },
  {
    name: "mcp",
    title: "mcp list|add|...",
    usage:
      "list,add NAME -- COMMAND,add NAME URL,remove NAME,allow NAME,forget NAME,login NAME,logout NAME,test [NAME],import,serve [--http],serve token [rotate]"
        .split(",")
        .map((words) => `localharness mcp ${words}`),
    summary:
      "list, add, allow, sign in at, test and import MCP servers, whose tools the model gets; or be one",
    flags: ["workspace", "mode", "tools", "allow", "trust", "sandbox", "http", "port", "json"],
    notes: [
      "serve offers the tools and files of this folder to an MCP client over standard input and output, under the same permissions.",
      "serve --http offers them to every client of this machine that sends the folder's token, which serve token prints.",
    ],
  },
  {
    name: "lend",
    title: "lend [DIR]",
    usage: [
      "localharness lend [DIR]",
      "localharness lend list",
      "localharness lend revoke NAME",
      "localharness lend pair URL CODE [NAME]",
    ],
    summary: "lend a folder to this program on another machine, which works on it with --workspace",
    flags: ["listen", "stdio", "tls-cert", "tls-key", "mode", "tools", "allow", "trust", "sandbox"],
    flagWords: { listen: { value: "ADDRESS:PORT", help: "the address to listen on [127.0.0.1:4178]" } },
    notes: [
      "This machine decides about every call, by its rules and in its sandbox; questions appear where the model runs.",
      "lend prints a code for ten minutes and one machine; pair, run there, turns it into a token.",
      "Addresses other than this machine's own need --tls-cert and --tls-key. --workspace ssh://HOST/DIR needs no lend there.",
    ],
  },
  {
    name: "undo",
    title: "undo",
    usage: ["localharness undo [--session ID] [--turns N]"],
    summary: "undo the file changes that tools made in the last turn",
    flags: ["workspace", "session", "turns", "json"],
    notes: [
      "Files that you changed since then are left alone and listed. Changes made by commands are not undone.",
    ],
  },
  {
    name: "redo",
    title: "redo",
    usage: ["localharness redo [--session ID]"],
    summary: "redo the last undo",
    flags: ["workspace", "session", "json"],
  },
  {
    name: "sandbox",
    title: "sandbox status",
    usage: ["localharness sandbox status"],
    summary: "show the sandbox for commands in this folder and test it",
    flags: ["workspace", "add-dir", "sandbox", "json"],
  },
  {
    name: "agents",
    title: "agents",
    usage: ["localharness agents"],
    summary: "list the agents that can be given tasks here, with their files",
    flags: ["workspace", "json"],
  },
  {
    name: "skills",
    title: "skills list",
    usage: ["localharness skills list"],
    summary: "list the skills that can be used here, with their files",
    flags: ["workspace", "json"],
  },
  {
    name: "index",
    title: "index build|status|...",
    usage: ["build", "status", "query TEXT", "drop"].map((words) => `localharness index ${words}`),
    summary: "build, show, ask and remove the index of this folder's source code",
    flags: ["workspace", "json"],
  },
  {
    name: "detect",
    title: "detect [FILE]",
    usage: ["localharness detect [FILE]", "localharness detect --jsonl [FILE]"],
    summary: "read model text (FILE or stdin) and print the tool calls in it",
    flags: ["tools", "format", "json", "jsonl"],
    flagWords: {
      tools: {
        value: "FILE",
        help: "JSON list of tools, plain or in OpenAI's format [the built-in tools]",
      },
    },
    notes: [
      '--jsonl reads {"id","text","chunks"?,"tools"} and writes {"id","calls","text","reasoning"} per line.',
    ],
  },
  {
    name: "models",
    title: "models",
    usage: ["localharness models", "localharness models --stats"],
    summary: "list the providers that were tried and the models found",
    flags: ["provider", "base-url", "stats", "json"],
  },
  {
    name: "doctor",
    title: "doctor [MODEL]",
    usage: ["localharness doctor [MODEL]", "localharness doctor --forget MODEL"],
    summary: "check this machine, try a model and save what suits it",
    flags: ["provider", "base-url", "num-ctx", "forget", "json"],
  },
  {
    name: "sessions",
    title: "sessions list|show|...",
    usage: [
      "localharness sessions list [--all]",
      "localharness sessions show ID",
      "localharness sessions search WORDS",
      "localharness sessions export ID [FILE] [--format markdown|json|html]",
      "localharness sessions rename ID NAME",
      "localharness sessions delete ID...",
      "localharness sessions move OLD NEW",
      "localharness sessions stats",
    ],
    summary: "list, show, search, export, rename, delete and move sessions of this folder",
    flags: ["workspace", "format", "all", "json"],
    flagWords: { format: { value: "NAME", help: "format of an export: markdown, json, html [markdown]" } },
    notes: [
      "ID is an id or the beginning of one, a number of the list, or a name.",
      "export writes to FILE, or to stdout; the extension of FILE selects the format [markdown].",
    ],
  },
  {
    name: "config",
    title: "config show|set|...",
    usage: [
      "localharness config show",
      "localharness config set KEY VALUE",
      "localharness config unset KEY",
      "localharness config path",
      "localharness config schema",
    ],
    summary: "show the settings that hold, change one, show where they are kept",
    flags: [...settingFlags, "json"],
    notes: ["schema prints the JSON Schema of config.json, with which editors check and complete the file."],
  },
  {
    name: "loop",
    title: "loop TASKFILE",
    usage: ["localharness loop TASKFILE"],
    summary: "work through a task file, one story a turn, until all pass",
    flags: [...sessionFlags, "output"],
    notes: [
      'TASKFILE is JSON with stories, each with "passes": false until it is done.',
      "It ends when all pass (exit code 0), after two turns without progress or at --max-turns (exit code 3).",
    ],
  },
  {
    name: "serve",
    title: "serve",
    usage: ["localharness serve", "localharness serve link", "localharness serve token rotate"],
    summary: "hold the sessions of this folder for browsers and other clients",
    flags: ["port", "listen", "open", "host-name", "tls-cert", "tls-key", ...sessionFlags],
    notes: [
      "It prints a link that pairs one browser. Beyond this machine it listens only with --tls-cert and --tls-key.",
    ],
  },
  {
    name: "attach",
    title: "attach [LINK]",
    usage: ["localharness attach [LINK]"],
    summary: "open the chat screen on a session that localharness serve holds",
    flags: ["continue", "resume", "tls-cert"],
    notes: [
      "With --tls-cert it trusts the certificate of that file, for a LINK to a server whose own is not trusted here.",
      "LINK is what localharness serve link prints on the server's machine; without it the server of this one.",
    ],
  },
  {
    name: "demo",
    title: "demo",
    usage: ["localharness demo"],
    summary: "watch a whole turn in a copy of a sample workspace; needs no model",
    flags: ["model", "answer", "output", "keep"],
  },
  {
    name: "completions",
    title: "completions bash|zsh|fish",
    usage: ["localharness completions bash", "localharness completions zsh", "localharness completions fish"],
    summary: "print the script with which your shell completes commands and options",
    flags: [],
    notes: [
      "bash: source <(localharness completions bash) in ~/.bashrc; zsh: the same with zsh in ~/.zshrc, after compinit.",
      "fish: localharness completions fish | source in ~/.config/fish/config.fish.",
    ],
  },
];

/** Returns the lower-case words that follow a command's name in its usage lines. */
export function subcommands(name: string): readonly string[] {
  const usage = commands.find((spec) => spec.name === name)?.usage ?? [];
  const words = usage.map((line) => line.split(" ")[2] ?? "").filter((word) => /^[a-z]+$/.test(word));
  return [...new Set(words)];
}
