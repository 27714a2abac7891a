/** The commands, as data: what each is for, how it is called, which options it takes. */
import type { FlagName } from "./flags.ts";

export type CommandName =
  | "chat"
  | "tool"
  | "policy"
  | "trust"
  | "audit"
  | "hooks"
  | "undo"
  | "redo"
  | "sandbox"
  | "agents"
  | "detect"
  | "models"
  | "sessions"
  | "config"
  | "loop"
  | "demo";

export interface CommandSpec {
  readonly name: CommandName;
  /** How it stands in the list of commands. */
  readonly title: string;
  readonly usage: readonly string[];
  readonly summary: string;
  readonly flags: readonly FlagName[];
  /** Where an option means something else than elsewhere. */
  readonly flagWords?: Partial<Record<FlagName, { readonly value: string; readonly help: string }>>;
  readonly notes?: readonly string[];
}

const modelFlags: readonly FlagName[] = [
  "model",
  "provider",
  "base-url",
  "num-ctx",
  "text-tool-calls",
  "record",
  "replay",
];
const sessionFlags: readonly FlagName[] = [
  ...modelFlags,
  "workspace",
  "mode",
  "tools",
  "max-iterations",
  "max-calls",
  "answer",
  "allow",
  "trust",
  "sandbox",
  "max-turns",
  "timeout",
  "no-session",
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
      "screen-reader",
      "image",
      "continue",
      "resume",
      "output",
      "input",
      "schema",
      ...sessionFlags,
    ],
    notes: [
      "Without a terminal a message is answered as with --print; what comes on stdin is part of it.",
      "Where nobody can be asked, an ask is a deny: --allow, --answer or --mode say what may happen.",
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
    summary: "the rules: show, add, take back, explain a decision, check a file",
    flags: ["workspace", "mode", "tool", "path", "command", "because", "here", "json"],
    notes: [
      "deny goes before ask, ask before allow, over all rules; a rule of the project can deny and ask only.",
      "test checks a file of rules (without FILE the ones that hold) and the examples in it.",
    ],
  },
  {
    name: "trust",
    title: "trust list|add|forget",
    usage: ["localharness trust list", "localharness trust add [DIR]", "localharness trust forget [DIR]"],
    summary: "the folders whose files you trust",
    flags: ["json"],
  },
  {
    name: "audit",
    title: "audit",
    usage: ["localharness audit [--since TIME] [--denied]"],
    summary: "what was asked, decided and done in this folder",
    flags: ["workspace", "since", "denied", "json"],
  },
  {
    name: "hooks",
    title: "hooks list|allow|forget",
    usage: ["localharness hooks list", "localharness hooks allow", "localharness hooks forget"],
    summary: "programs that look in on calls; allow those of this project",
    flags: ["workspace", "json"],
    notes: [
      "Your own are in config.json (hooks). A project's run when it is trusted and you allowed them as they are.",
    ],
  },
  {
    name: "undo",
    title: "undo",
    usage: ["localharness undo [--session ID] [--turns N]"],
    summary: "take back what the tools of the last turn changed",
    flags: ["workspace", "session", "turns", "json"],
    notes: [
      "Files that you changed since are left alone, and it is said which. What commands changed is not covered.",
    ],
  },
  {
    name: "redo",
    title: "redo",
    usage: ["localharness redo [--session ID]"],
    summary: "do again what was undone last",
    flags: ["workspace", "session", "json"],
  },
  {
    name: "sandbox",
    title: "sandbox status",
    usage: ["localharness sandbox status"],
    summary: "what confines commands here, tried out",
    flags: ["workspace", "sandbox", "json"],
  },
  {
    name: "agents",
    title: "agents",
    usage: ["localharness agents"],
    summary: "who can be given a task here, from which file",
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
        help: "JSON with the tools on offer, plain or as OpenAI writes them [the built-in tools]",
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
    name: "sessions",
    title: "sessions list|show|...",
    usage: [
      "localharness sessions list [--all]",
      "localharness sessions show ID",
      "localharness sessions search WORDS",
      "localharness sessions export ID [FILE] [--format markdown|json|html]",
      "localharness sessions rename ID NAME",
      "localharness sessions delete ID...",
      "localharness sessions stats",
    ],
    summary: "the sessions of this folder: list, read, search, export, rename, delete",
    flags: ["workspace", "format", "all", "json"],
    notes: [
      "ID is an id or the beginning of one, a number of the list, or a name.",
      "export writes to FILE, or to stdout; the ending of FILE says the format [markdown].",
    ],
  },
  {
    name: "config",
    title: "config path|show",
    usage: ["localharness config path", "localharness config show"],
    summary: "show where the configuration is, and what holds",
    flags: [
      "model",
      "provider",
      "base-url",
      "num-ctx",
      "text-tool-calls",
      "mode",
      "tools",
      "max-iterations",
      "max-calls",
      "sandbox",
      "json",
    ],
  },
  {
    name: "loop",
    title: "loop TASKFILE",
    usage: ["localharness loop TASKFILE"],
    summary: "work through a task file, one story a turn, until all pass",
    flags: [...sessionFlags, "output"],
    notes: [
      'TASKFILE is JSON with stories, each with "passes": false until it is done.',
      "It ends when all pass (0), after two turns without progress or at --max-turns (3).",
    ],
  },
  {
    name: "demo",
    title: "demo",
    usage: ["localharness demo"],
    summary: "watch a whole turn in a copy of a sample workspace; needs no model",
    flags: ["model", "answer", "output", "keep"],
  },
];
