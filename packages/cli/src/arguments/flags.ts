/** Every option of the command line, as data: the parser, `--help` and the suggestions read this one table. */
import type { OptionName } from "@localharness/harness/options";

/** The options of the harness, and those of the command line alone. */
export type FlagName =
  | OptionName
  | "print"
  | "interactive"
  | "output"
  | "input"
  | "allow"
  | "image"
  | "schema"
  | "timeout"
  | "workspace"
  | "max-turns"
  | "all"
  | "format"
  | "json"
  | "jsonl"
  | "keep"
  | "stats"
  | "here"
  | "since"
  | "denied"
  | "session"
  | "turns"
  | "help"
  | "version";

/** Options that may be given several times. */
export type ListFlagName = "allow" | "image";

export interface Flag {
  readonly name: FlagName;
  readonly short?: string;
  /** `optional`: a text that may be left out; it counts as one only when it looks like what is expected. */
  readonly kind: "switch" | "text" | "integer" | "choice" | "list" | "optional";
  readonly choices?: readonly string[];
  /** What stands for the value in the help. */
  readonly value?: string;
  readonly help: string;
}

const answers = ["once", "session", "remember", "deny"];
const modes = ["default", "plan", "accept-edits", "bypass"];

export const flags: readonly Flag[] = [
  { name: "print", short: "p", kind: "switch", help: "answer one message, print the text, leave" },
  { name: "interactive", short: "i", kind: "switch", help: "chat line by line, also without a terminal" },
  { name: "screen-reader", kind: "switch", help: "chat line by line, for screen readers" },
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
  { name: "model", short: "m", kind: "text", value: "NAME", help: "the model to use; demo needs no server" },
  {
    name: "provider",
    kind: "text",
    value: "NAME",
    help: "who serves it: ollama, lmstudio, llamacpp, vllm, xai, openai, ...",
  },
  { name: "base-url", kind: "text", value: "URL", help: "address of an OpenAI-compatible or Ollama server" },
  { name: "workspace", short: "w", kind: "text", value: "DIR", help: "the folder it may touch [here]" },
  { name: "mode", kind: "choice", choices: modes, value: "MODE", help: `permissions: ${modes.join(", ")}` },
  { name: "tools", kind: "text", value: "SET", help: "minimal, standard, all, or names with commas" },
  { name: "num-ctx", kind: "integer", value: "N", help: "context window to ask of Ollama, in tokens" },
  {
    name: "text-tool-calls",
    kind: "choice",
    choices: ["auto", "native", "text"],
    value: "KIND",
    help: "which tool calls count: of the server and in text, or one kind",
  },
  { name: "max-iterations", kind: "integer", value: "N", help: "model calls for one message [10]" },
  { name: "max-calls", kind: "integer", value: "N", help: "tool calls in one iteration [15]" },
  {
    name: "max-turns",
    kind: "integer",
    value: "N",
    help: "turns of the loop [25]; elsewhere the same as --max-iterations",
  },
  {
    name: "timeout",
    kind: "integer",
    value: "SECONDS",
    help: "for the whole run; then it ends with code 124",
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
    help: "an image that goes along with the message of -p; may be given several times",
  },
  {
    name: "schema",
    kind: "text",
    value: "FILE",
    help: "the answer is JSON that follows the JSON Schema in FILE",
  },
  { name: "continue", short: "c", kind: "switch", help: "go on with the newest session of this folder" },
  {
    name: "resume",
    short: "r",
    kind: "optional",
    value: "[ID]",
    help: "go on with a session: an id or its beginning, a number of the list; a name as --resume=NAME",
  },
  { name: "no-session", kind: "switch", help: "keep nothing of this session on disk" },
  { name: "all", kind: "switch", help: "of all folders" },
  { name: "record", kind: "text", value: "FILE", help: "keep what the provider sends, keys left out" },
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
    help: "of tool calls: read this one only [auto]; of an export: markdown, json, html",
  },
  { name: "json", kind: "switch", help: "print JSON" },
  { name: "jsonl", kind: "switch", help: "one JSON object per line, in and out" },
  { name: "keep", kind: "switch", help: "keep the copy of the sample workspace" },
  { name: "stats", kind: "switch", help: "how each model's tool calls came to run, counted" },
  { name: "trust", kind: "switch", help: "trust this folder for this run" },
  {
    name: "sandbox",
    kind: "choice",
    choices: ["auto", "require", "off"],
    value: "MODE",
    help: "commands in a sandbox: auto, require, off [auto]",
  },
  { name: "tool", kind: "text", value: "NAME", help: "a rule for this tool; several with commas" },
  { name: "path", kind: "text", value: "GLOB", help: "a rule for these paths of the workspace" },
  { name: "command", kind: "text", value: "WORDS", help: "a rule for this command; a last * is any rest" },
  { name: "because", kind: "text", value: "TEXT", help: "why, for whoever is asked" },
  { name: "here", kind: "switch", help: "a rule for this workspace only" },
  { name: "since", kind: "text", value: "TIME", help: "from this time on: 90m, 12h, 7d, 2026-11-01" },
  {
    name: "session",
    kind: "text",
    value: "ID",
    help: "this session, by the beginning of its id [the newest]",
  },
  { name: "turns", kind: "integer", value: "N", help: "so many turns [1]" },
  { name: "denied", kind: "switch", help: "only calls that did not run" },
  { name: "help", short: "h", kind: "switch", help: "show help" },
  { name: "version", short: "V", kind: "switch", help: "show the version" },
];
