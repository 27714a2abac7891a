/**
 * Defines every option of the command line as data; the parser, `--help` and the suggestions read this one table. The options
 * of settings come from the table of settings.
 */
import { type Field, fields, type SettingOptionName } from "@localharness/harness/config/fields";
import { defined } from "@localharness/protocol";

export const defaultLoopTurns = 25;

interface FlagRow {
  readonly name: string;
  readonly short?: string;
  /** Earlier names of the option, which still work. */
  readonly aliases?: readonly string[];
  /** `optional` is a text that may be left out. The next word becomes its value only if it looks like a session id. */
  readonly kind: "switch" | "text" | "integer" | "choice" | "list" | "optional";
  readonly choices?: readonly string[];
  /** The smallest value of an integer [1]. */
  readonly from?: number;
  /** The largest value of an integer. */
  readonly to?: number;
  /** The placeholder for the value in the help, such as `FILE`. */
  readonly value?: string;
  readonly help: string;
}

export interface Flag extends FlagRow {
  readonly name: FlagName;
}

export type FlagName = OwnFlag["name"] | SettingOptionName;

/** Options that may be given several times. */
export type ListFlagName = Extract<OwnFlag, { readonly kind: "list" }>["name"];

type OwnFlag = (typeof ownFlags)[number];

const answers = ["once", "session", "remember", "deny"];

/** The options that are no settings. */
const ownFlags = [
  { name: "print", short: "p", kind: "switch", help: "answer one message, print the text, exit" },
  { name: "interactive", short: "i", kind: "switch", help: "chat line by line, even without a terminal" },
  {
    name: "output",
    kind: "choice",
    choices: ["text", "json", "stream-json"],
    value: "FORMAT",
    help: "text, json (one object at the end), stream-json (every event as a line)",
  },
  {
    name: "input",
    kind: "choice",
    choices: ["text", "stream-json"],
    value: "FORMAT",
    help: "text, or stream-json: commands as lines of JSON on stdin",
  },
  {
    name: "workspace",
    short: "w",
    kind: "text",
    value: "DIR",
    help: "the folder that the model works in [the current one], or ws://, ssh:// or the name of one elsewhere",
  },
  {
    name: "add-dir",
    kind: "list",
    value: "DIR",
    help: "a folder beside the workspace that tools use too; may be given several times",
  },
  {
    name: "max-turns",
    kind: "integer",
    value: "N",
    help: `turns of the loop [${defaultLoopTurns}]; elsewhere the same as --iterations-per-turn`,
  },
  {
    name: "timeout",
    kind: "integer",
    value: "SECONDS",
    help: "time limit of the whole run, which then ends with code 124",
  },
  {
    name: "allow",
    kind: "list",
    value: "RULE",
    help: "allow in this run: 'TOOL --path GLOB', 'bash --command WORDS', JSON",
  },
  {
    name: "image",
    kind: "list",
    value: "FILE",
    help: "send an image with the message of -p; may be given several times",
  },
  {
    name: "schema",
    kind: "text",
    value: "FILE",
    help: "require a JSON answer that follows the JSON Schema in FILE",
  },
  { name: "continue", short: "c", kind: "switch", help: "continue the newest session of this folder" },
  {
    name: "resume",
    short: "r",
    kind: "optional",
    value: "[ID]",
    help: "continue a session: its id (or the beginning), list number, or --resume=NAME",
  },
  { name: "all", kind: "switch", help: "sessions of all folders" },
  { name: "record", kind: "text", value: "FILE", help: "record what the provider sends, without keys" },
  { name: "replay", kind: "text", value: "FILE", help: "play a recording in place of a model" },
  {
    name: "answer",
    kind: "choice",
    choices: answers,
    value: "ANSWER",
    help: `answer to every permission request: ${answers.join(", ")}`,
  },
  {
    name: "format",
    kind: "text",
    value: "NAME",
    help: "format of tool calls to read [auto]",
  },
  { name: "json", kind: "switch", help: "print JSON" },
  { name: "jsonl", kind: "switch", help: "one JSON object per line, in and out" },
  { name: "keep", kind: "switch", help: "keep the copy of the sample workspace" },
  { name: "forget", kind: "text", value: "MODEL", help: "remove what is kept about a model" },
  { name: "stats", kind: "switch", help: "count for each model how its tool calls came to run" },
  { name: "trust", kind: "switch", help: "trust this folder, and those of --add-dir, for this run" },
  { name: "tool", kind: "text", value: "NAME", help: "a rule for this tool; separate several by commas" },
  { name: "path", kind: "text", value: "GLOB", help: "a rule for these paths of the workspace" },
  {
    name: "access",
    kind: "choice",
    choices: ["read", "write"],
    value: "ACCESS",
    help: "a rule for paths that are read, or for paths that are written [both]",
  },
  {
    name: "command",
    kind: "text",
    value: "WORDS",
    help: "a rule for this command; * at the end matches any further words",
  },
  { name: "because", kind: "text", value: "TEXT", help: "the reason, shown when the rule asks or denies" },
  { name: "here", kind: "switch", help: "a rule for this workspace only" },
  { name: "stdio", kind: "switch", help: "lend over standard input and output" },
  { name: "since", kind: "text", value: "TIME", help: "from this time on: 90m, 12h, 7d, 2026-11-01" },
  {
    name: "session",
    kind: "text",
    value: "ID",
    help: "the session, by the beginning of its id [the newest]",
  },
  { name: "turns", kind: "integer", value: "N", help: "number of turns [1]" },
  { name: "denied", kind: "switch", help: "only calls that did not run" },
  {
    name: "port",
    kind: "integer",
    from: 0,
    value: "N",
    help: "the port to listen on, 0 for a free one [4096; mcp serve: 4110]",
  },
  { name: "http", kind: "switch", help: "listen for HTTP on this machine instead of standard input" },
  { name: "listen", kind: "text", value: "ADDRESS:PORT", help: "the address to listen on [127.0.0.1:4096]" },
  { name: "open", kind: "switch", help: "open the browser" },
  {
    name: "host-name",
    kind: "text",
    value: "NAME,...",
    help: "other names of this server, such as box.example of a proxy with TLS, or localhost:8080",
  },
  { name: "tls-cert", kind: "text", value: "FILE", help: "the certificate in PEM format" },
  { name: "tls-key", kind: "text", value: "FILE", help: "the key of the certificate in PEM format" },
  { name: "help", short: "h", kind: "switch", help: "show help" },
  { name: "version", short: "V", kind: "switch", help: "show the version" },
] as const satisfies readonly FlagRow[];

/** Every option in the order of the help. */
export const flags: readonly Flag[] = fields.reduce(withOption, ownFlags);

/** Returns the options with that of the setting, if it has one, right behind the option that it follows. */
function withOption(all: readonly Flag[], { option, about, choices, schema }: Field): readonly Flag[] {
  if (option === undefined) return all;
  const { after, name, means, short, aliases, value, help = about } = option;
  const flag = { name, help, ...defined({ short, aliases, value }), ...kindOf(means, choices, schema) };
  return all.toSpliced(all.findIndex((row) => row.name === after) + 1, 0, flag);
}

function kindOf(
  means: string | undefined,
  choices: Field["choices"],
  { type, minimum, maximum }: Field["schema"],
): Pick<Flag, "kind" | "choices" | "from" | "to"> {
  if (means !== undefined || type === "boolean") return { kind: "switch" };
  if (type === "integer") return { kind: "integer", from: Number(minimum), to: Number(maximum) };
  return choices === undefined ? { kind: "text" } : { kind: "choice", choices };
}
