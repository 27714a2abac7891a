/** Parses the command line according to the tables of options and commands. */
import { nearWord, suggestion } from "@localharness/protocol";
import { type CommandName, type CommandSpec, commands } from "./commands.ts";
import { type Flag, type FlagName, flags, type ListFlagName } from "./flags.ts";
import { mistypedCommand } from "./mistyped-command.ts";

export interface Invocation {
  readonly command: CommandName;
  readonly positionals: readonly string[];
  readonly flags: FlagValues;
}

export type FlagValues = { readonly [name in SingleFlagName]?: string | number | true } & {
  readonly [name in ListFlagName]?: readonly string[];
};

export type SingleFlagName = Exclude<FlagName, ListFlagName>;

export type Parsed =
  | { readonly ok: true; readonly invocation: Invocation; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly message: string };

/** Returns the value of a text option; undefined if the option was not given, or was given without a value. */
export function textFlag(values: FlagValues, name: FlagName): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

/** Parses the command line. Options may be anywhere; all words after `--` are text. Never throws. */
export function parseArguments(argv: readonly string[]): Parsed {
  const values: { [name in SingleFlagName]?: string | number | true } & {
    [name in ListFlagName]?: readonly string[];
  } = {};
  const positionals: string[] = [];
  const warnings = new Set<string>();
  const literal = argv.indexOf("--");
  const words = literal === -1 ? argv : argv.slice(0, literal);
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (!word.startsWith("-") || word === "-") {
      positionals.push(word);
      continue;
    }
    const read = readFlag(word, words[index + 1]);
    if (!read.ok) return read;
    const { name, kind, aliases = [] } = read.flag;
    const given = nameIn(word);
    if (aliases.some((alias) => given === `--${alias}`)) warnings.add(`${given} is now --${name}`);
    if (kind !== "list") values[name as SingleFlagName] = read.value;
    else {
      const list = name as ListFlagName;
      values[list] = [...(values[list] ?? []), String(read.value)];
    }
    if (read.usedNext) index += 1;
  }
  const command = commands.find((spec) => spec.name === positionals[0] && spec.name !== "chat");
  if (command !== undefined) positionals.shift();
  const mayBeCommand = command === undefined && literal === -1 && values.print !== true;
  const typo = mayBeCommand ? mistypedCommand(positionals) : undefined;
  if (typo !== undefined) return { ok: false, message: typo };
  if (literal !== -1) for (const word of argv.slice(literal + 1)) positionals.push(word);
  const message = wrongFlag(command ?? chat(), values);
  if (message !== undefined) return { ok: false, message };
  const invocation = { command: (command ?? chat()).name, positionals, flags: values };
  return { ok: true, invocation, warnings: [...warnings] };
}

type Read =
  | {
      readonly ok: true;
      readonly flag: Flag;
      readonly value: string | number | true;
      readonly usedNext: boolean;
    }
  | { readonly ok: false; readonly message: string };

/** Options of other programs, each with the way to do the same in this program. */
const foreignOptions: Readonly<Record<string, string>> = {
  yolo: "--mode bypass, which asks about nothing; --mode auto asks only about what leaves the sandbox",
  "dangerously-skip-permissions":
    "--mode bypass, which asks about nothing; --mode auto asks only about what leaves the sandbox",
  "dangerously-bypass-approvals-and-sandbox": "--mode bypass --sandbox off",
  "full-auto": "--mode auto",
  "auto-approve": "--mode auto",
  "permission-mode": "--mode",
  prompt: '-p "message"',
  exec: '-p "message"',
  oss: "not needed: servers on this machine are found",
};

function readFlag(word: string, next: string | undefined): Read {
  const equals = word.indexOf("=");
  const given = nameIn(word);
  const flag = findFlag(given);
  if (flag === undefined) return { ok: false, message: unknownOption(given) };
  if (flag.kind === "switch") {
    if (equals !== -1) return { ok: false, message: `option ${given} takes no value, ${word} has one.` };
    return { ok: true, flag, value: true, usedNext: false };
  }
  if (flag.kind === "optional" && equals === -1) {
    const isValue = next !== undefined && sessionWord.test(next);
    return { ok: true, flag, value: isValue ? next : true, usedNext: isValue };
  }
  const text = equals === -1 ? next : word.slice(equals + 1);
  // The value of --allow may contain options, as in "--path src/** --tool read_file".
  const isOption = text?.startsWith("--") && !(flag.kind === "list" && text.includes(" "));
  if (text === undefined || (equals === -1 && isOption === true)) {
    return { ok: false, message: `option ${given} needs a value: ${given} ${flag.value ?? "VALUE"}.` };
  }
  const value = readValue(flag, text);
  if (typeof value === "object") return { ok: false, message: value.problem };
  return { ok: true, flag, value, usedNext: equals === -1 };
}

function findFlag(given: string): Flag | undefined {
  return flags.find(
    ({ name, short, aliases = [] }) =>
      (short !== undefined && given === `-${short}`) ||
      [name, ...aliases].some((one) => given === `--${one}`),
  );
}

function unknownOption(given: string): string {
  const bare = given.replace(/^-+/, "");
  const elsewhere = Object.hasOwn(foreignOptions, bare) ? foreignOptions[bare] : undefined;
  const names = flags.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  const meant = findFlag(`--${nearWord(bare, names) ?? ""}`);
  const guess = meant === undefined ? "" : ` Did you mean --${meant.name}?`;
  const hint = elsewhere === undefined ? guess : ` Here it is ${elsewhere}.`;
  return `unknown option ${given}.${hint} localharness --help lists them all.`;
}

/** Returns an option without its value, with the dashes. */
function nameIn(word: string): string {
  return word.split("=", 1)[0] ?? "";
}

/**
 * Matches a session id, the beginning of one if it has a digit, or a number in the list of sessions. Any other word after
 * `--resume` belongs to the message.
 */
const sessionWord = /^(?=.*\d)[0-9a-z]{1,12}(?:-[0-9a-z]{0,14})?$/;

function readValue(flag: Flag, text: string): string | number | { problem: string } {
  if (flag.kind === "integer") {
    const { from = 1, to = Number.POSITIVE_INFINITY } = flag;
    if (/^[0-9]{1,9}$/.test(text) && Number(text) >= from && Number(text) <= to) return Number(text);
    const range = flag.to === undefined ? `above ${from - 1}` : `from ${from} to ${to}`;
    return { problem: `option --${flag.name} expects a whole number ${range}, got "${text}".` };
  }
  if (flag.kind === "choice" && !flag.choices?.includes(text)) {
    const choices = flag.choices ?? [];
    const hint = suggestion(text, choices);
    return { problem: `option --${flag.name} expects one of ${choices.join(", ")}, got "${text}".${hint}` };
  }
  if (text === "") {
    return { problem: `option --${flag.name} expects ${flag.value ?? "a value"}, got nothing.` };
  }
  return text;
}

/** Returns an error message if an option does not apply to the command. */
function wrongFlag(command: CommandSpec, values: FlagValues): string | undefined {
  const allowed: readonly string[] = [...command.flags, "help", "version"];
  const foreign = Object.keys(values).find((name) => !allowed.includes(name));
  if (foreign === undefined) return undefined;
  const called = command.name === "chat" ? "localharness" : `localharness ${command.name}`;
  const meant = foreign === "json" && command.flags.includes("output") ? " Use --output json." : "";
  return `option --${foreign} does not apply to ${called}.${meant} ${called} --help lists its options.`;
}

function chat(): CommandSpec {
  const [first] = commands;
  if (first === undefined) throw new Error("the table of commands is empty");
  return first;
}
