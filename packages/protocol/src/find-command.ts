/** Finds the slash commands of a screen, lists them as help, and says what a word means that names none of them. */
import { type CommandOn, commandTable, type ScreenKind, type SlashCommandFacts } from "./command-table.ts";
import { nearWord } from "./near-word.ts";

/** Returns the commands that a screen has, in the order in which help lists them, with its line of help as `about`. */
export function commandsOn<Kind extends ScreenKind>(
  kind: Kind,
): readonly SlashCommandFacts<CommandOn<Kind>>[] {
  return commandTable
    .filter((facts): facts is SlashCommandFacts<CommandOn<Kind>> => isOn(kind, facts))
    .map((facts) => (kind === "lines" ? { ...facts, about: facts.inLines ?? facts.about } : facts));
}

/** Returns the command of a screen that a word names, by name or alias; undefined if that screen has no such command. */
export function commandNamed<Kind extends ScreenKind>(kind: Kind, word: string): CommandOn<Kind> | undefined {
  return commandsOn(kind).find((facts) => namesIn(facts).includes(word))?.name;
}

/**
 * Returns what a screen says of a word after a slash that none of its commands has: the screens that have it, or the
 * nearest command. `own` are the names of custom commands.
 */
export function unknownCommand(kind: ScreenKind, word: string, own: readonly string[]): string {
  const elsewhere = commandTable.find((facts) => namesIn(facts).includes(word) && !isOn(kind, facts));
  if (elsewhere !== undefined) {
    return `/${word} needs ${(elsewhere.screens ?? []).map((one) => screenNames[one]).join(" or ")}`;
  }
  const near = nearestCommand(word, [...commandsOn(kind).flatMap(namesIn), ...own]);
  const hint = near === undefined ? "" : ` Did you mean /${near}?`;
  return `unknown command /${word}.${hint} /help lists the commands.`;
}

const screenNames: Readonly<Record<ScreenKind, string>> = {
  terminal: "the full screen",
  lines: "the chat line by line",
  browser: "the browser",
};

/**
 * Returns the command that a mistyped word probably means: the only command that begins with the word, or else a
 * command with nearly the same spelling; undefined if there is none.
 */
function nearestCommand(word: string, names: readonly string[]): string | undefined {
  const begins = names.filter((name) => word.length > 1 && name.startsWith(word));
  return begins.length === 1 ? begins[0] : nearWord(word, names);
}

function isOn(kind: ScreenKind, { screens }: SlashCommandFacts): boolean {
  return screens?.includes(kind) ?? true;
}

function namesIn({ name, aliases = [] }: SlashCommandFacts): readonly string[] {
  return [name, ...aliases];
}

/** Returns the lines of help about the commands of a screen, and below them those about custom commands. */
export function commandLines(
  kind: ScreenKind,
  own: readonly { readonly name: string; readonly about: string }[],
): readonly string[] {
  const owns = own.map(({ name, about }) => helpLine([name], about));
  return [
    ...commandsOn(kind).map((facts) => helpLine(namesIn(facts), facts.about)),
    ...(owns.length === 0 ? [] : ["", "Custom commands:", ...owns]),
  ];
}

function helpLine(names: readonly string[], about: string): string {
  const typed = names.map((name) => `/${name}`).join(" ");
  return `${typed.padEnd(23)}  ${about}`;
}
