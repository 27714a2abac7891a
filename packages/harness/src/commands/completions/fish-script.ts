/** Returns the script for fish, with one `complete` line for each thing that can be completed. */
import type { CompletionCommand, CompletionFlag, CompletionTable } from "./completion-table.ts";

export function fishScript({ program, commands }: CompletionTable): string {
  const [chat, ...others] = commands;
  const names = others.map(({ name }) => name);
  const conditionOf = ({ name }: CompletionCommand) =>
    name === chat?.name ? `__${program}_no_command` : seen([name]);
  const line = (condition: string, rest: string) => `complete -c ${program} -n ${quoted(condition)} ${rest}`;
  return [
    `# Completions of ${program} for fish. Load them in ~/.config/fish/config.fish: ${program} completions fish | source`,
    `function __${program}_no_command\n  not ${seen(names)}\nend`,
    `complete -c ${program} -f`,
    ...others.map(({ name, summary }) => line(`__${program}_no_command`, `-a ${name} -d ${quoted(summary)}`)),
    ...commands.flatMap((command) => [
      ...command.flags.map((flag) => line(conditionOf(command), flagWords(flag))),
      ...placeWords(command, conditionOf(command)).map(([condition, rest]) => line(condition, rest)),
    ]),
    "",
  ].join("\n");
}

function flagWords({ name, short, help, takesValue, values, paths }: CompletionFlag): string {
  const spelling = `-l ${name}${short === undefined ? "" : ` -s ${short}`} -d ${quoted(help)}`;
  if (!takesValue) return spelling;
  if (paths === "files") return `${spelling} -r -F`;
  const choices = paths === "folders" ? "(__fish_complete_directories)" : values.join(" ");
  return choices === "" ? `${spelling} -x` : `${spelling} -x -a ${quoted(choices)}`;
}

/** Returns the words that may follow a command. Each group of words has the condition under which fish offers it. */
function placeWords(
  { verbs, paths, keyed }: CompletionCommand,
  here: string,
): readonly (readonly [condition: string, rest: string])[] {
  const keys = keyed?.keys.map(({ name }) => name) ?? [];
  const after = keyed === undefined ? "" : `${here}; and ${seen(keyed.verbs)}`;
  return [
    ...(verbs.length === 0
      ? []
      : [[`${here}; and not ${seen(verbs)}`, `-a ${quoted(verbs.join(" "))}`] as const]),
    ...(keys.length === 0
      ? []
      : [[`${after}; and not ${seen(keys)}`, `-a ${quoted(keys.join(" "))}`] as const]),
    ...(keyed?.keys ?? [])
      .filter(({ values }) => values.length > 0)
      .map(
        ({ name, values }) => [`${after}; and ${seen([name])}`, `-a ${quoted(values.join(" "))}`] as const,
      ),
    ...(paths === undefined
      ? []
      : [[verbs.length === 0 ? here : `${here}; and ${seen(verbs)}`, pathWords(paths)] as const]),
  ];
}

function pathWords(paths: "files" | "folders"): string {
  return paths === "files" ? "-F" : `-a ${quoted("(__fish_complete_directories)")}`;
}

function seen(words: readonly string[]): string {
  return `__fish_seen_subcommand_from ${words.join(" ")}`;
}

/** Returns the text in single quotes. Inside single quotes fish knows only the escapes `\'` and `\\`. */
function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
