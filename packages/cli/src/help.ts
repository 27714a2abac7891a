/** Builds the help texts from the tables of commands and options. */
import { fields, variableName } from "@localharness/harness/config/fields";
import { foldLines } from "@localharness/harness/fold-lines";
import { type CommandSpec, commands } from "./arguments/commands.ts";
import { type Flag, flags } from "./arguments/flags.ts";

const exitCodes = `Exit codes:
  0    done
  1    error (no model, server down, an answer that it broke off, a failed tool call)
  2    wrong usage or configuration
  3    a limit was reached (also that of the answer's length), or the model went in circles
  4    done, but something was denied, so the task may be unfinished (not used for a chat)
  5    the answer does not follow the schema
  124  the time limit of --timeout was reached
  130  interrupted`;

const files = `Files (under $XDG_CONFIG_HOME, or ~/.config):
  localharness/config.json    settings; LOCALHARNESS_... variables and options override it
  localharness/keys.json      keys of providers {"xai": "..."}, mode 0600
  localharness/policies.json  your rules, and remembered answers
  localharness/trust.json     the folders whose files you trust
  localharness/AGENTS.md      instructions for every model, in every folder
  localharness/agents/*.md    agents for run_agent
  localharness/commands/*.md  your custom slash commands
  localharness/hooks.json     the hooks of projects that you have allowed; mcp-allowed.json: their MCP servers
  localharness/mcp.json       your MCP servers; mcp-sign-ins.json: your sign-ins at them
and under $XDG_STATE_HOME, or ~/.local/state:
  localharness/audit/         what was asked, decided and done, by workspace
  localharness/sessions/      saved sessions, by workspace
  localharness/told-notices.json  hashes of the notices that -p has told, by workspace
  localharness/undo/          files that tools replaced or removed, by workspace and session`;

/** Returns the help of the program or of one command; undefined for an unknown command. */
export function helpText(topic?: string): string | undefined {
  const command = commands.find((spec) => spec.name === topic);
  if (topic !== undefined && command === undefined) return undefined;
  const text = command === undefined || command.name === "chat" ? programHelp() : commandHelp(command);
  return foldLines(text, Math.min(columns, process.stdout.columns || columns));
}

/** The maximum width of the help in columns. In a narrower terminal the lines are shorter. */
const columns = 110;

function programHelp(): string {
  const [chat, ...others] = commands;
  const rows = others.map((spec) => `  ${spec.title.padEnd(26)} ${spec.summary}`);
  return [
    "localharness lets any language model work with tools in this folder, under permissions that you control.",
    `Usage:\n${(chat?.usage ?? []).map((line) => `  ${line}`).join("\n")}\n  localharness COMMAND ...`,
    `Commands (COMMAND --help tells more):\n${rows.join("\n")}`,
    `Options:\n${flagRows(chat?.flags ?? [])}`,
    ...(chat?.notes ?? []),
    exitCodes,
    `${files}\n`,
  ].join("\n\n");
}

function commandHelp(command: CommandSpec): string {
  return [
    `localharness ${command.name}: ${command.summary}`,
    `Usage:\n${command.usage.map((line) => `  ${line}`).join("\n")}`,
    `Options:\n${flagRows(command.flags, command.flagWords)}`,
    ...(command.notes ?? []),
    ...(command.name === "config" ? [settingsHelp()] : []),
    `${exitCodes}\n`,
  ].join("\n\n");
}

function settingsHelp(): string {
  const rows = fields.map((field) => {
    const option = field.option === undefined ? "" : `, --${field.option.name}`;
    const about = wrapped(`${field.about}: ${field.expected}`, 100).map((line) => `      ${line}`);
    return [`  ${field.key}`, ...about, `      ${variableName(field.key)}${option}`].join("\n");
  });
  return `Settings of config.json ("limits.x" is written {"limits": {"x": ...}}, "shares.x" alike), variables and options:\n${rows.join("\n")}`;
}

/** Breaks a text at spaces into lines of at most `width` characters; a longer word is not broken. */
function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines;
}

function flagRows(names: readonly string[], words: CommandSpec["flagWords"] = {}): string {
  const wanted = flags.filter(
    (flag) => names.includes(flag.name) || flag.name === "help" || flag.name === "version",
  );
  const meant = wanted.map((flag) => ({ ...flag, ...words[flag.name] }));
  return meant.map((flag) => `  ${flagLabel(flag).padEnd(26)} ${flag.help}`).join("\n");
}

function flagLabel(flag: Flag): string {
  const short = flag.short === undefined ? "    " : `-${flag.short}, `;
  return `${short}--${flag.name}${flag.value === undefined ? "" : ` ${flag.value}`}`;
}
