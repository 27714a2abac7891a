/**
 * Returns the scripts for bash and zsh. Both scripts have the same cases, but they read the typed words and offer
 * completions in different ways.
 */
import {
  type CompletionCommand,
  type CompletionFlag,
  type CompletionTable,
  type PathKind,
  quoted,
  spellings,
  valueFlags,
} from "./completion-table.ts";

/** The shell texts with which bash or zsh offers words, rows of words with descriptions, and paths. */
interface Offers {
  words(words: readonly string[]): string;
  described(rows: readonly (readonly [word: string, help: string])[]): string;
  paths(kind: PathKind): string;
  /** The index of the first element of an array in the shell. */
  readonly firstIndex: 0 | 1;
}

export function bashScript(table: CompletionTable): string {
  const { program } = table;
  return `# Completions of ${program} for bash. Load them in ~/.bashrc: source <(${program} completions bash)
_${program}_words() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$@" -- "$word")
}
_${program}() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} index command
  local -a given=()
  # bash splits --option=value at the sign.
  if [[ $word == = ]]; then word=
  elif [[ $before == = ]]; then before=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((index = 1; index < COMP_CWORD; index += 1)); do
    case \${COMP_WORDS[index]} in
      --) return ;;
      ${takingValue(table)}) ((index += 1)); [[ \${COMP_WORDS[index]} != = ]] || ((index += 1)) ;;
      -*) ;;
      *) given+=("\${COMP_WORDS[index]}") ;;
    esac
  done
${body(table, {
  words: (words) => `_${program}_words -W ${quoted(words.join(" "))}`,
  described: (rows) => `_${program}_words -W ${quoted(rows.map(([word]) => word).join(" "))}`,
  paths: (kind) => `compopt -o filenames 2> /dev/null; _${program}_words ${kind === "files" ? "-f" : "-d"}`,
  firstIndex: 0,
})}
}
complete -F _${program} ${program}
`;
}

export function zshScript(table: CompletionTable): string {
  const { program } = table;
  return `#compdef ${program}
# Completions of ${program} for zsh. Load them in ~/.zshrc after compinit: source <(${program} completions zsh)
_${program}() {
  local word=\${words[CURRENT]} before=\${words[CURRENT - 1]} index command
  local -a given rows
  if [[ $word == --*=* ]]; then
    before=\${word%%=*}
    compset -P '*='
  fi
  for ((index = 2; index < CURRENT; index += 1)); do
    case \${words[index]} in
      --) return 1 ;;
      ${takingValue(table)}) ((index += 1)) ;;
      -*) ;;
      *) given+=("\${words[index]}") ;;
    esac
  done
${body(table, {
  words: (words) => `compadd -- ${words.map(quoted).join(" ")}`,
  described: (rows) =>
    `rows=(${rows.map(([word, help]) => quoted(`${word.replaceAll(":", "\\:")}:${help}`)).join(" ")}); _describe ${isOptions(rows) ? "-o " : ""}${program} rows`,
  paths: (kind) => (kind === "files" ? "_files" : "_files -/"),
  firstIndex: 1,
})}
}
if [[ \${funcstack[1]} == _${program} ]]; then _${program} "$@"; else compdef _${program} ${program}; fi
`;
}

/**
 * Returns true if the rows are options. Options need `_describe -o`, with which zsh offers them only for a word that
 * begins with a hyphen.
 */
function isOptions([first]: readonly (readonly [word: string, help: string])[]): boolean {
  return first?.[0].startsWith("-") === true;
}

/** Returns the pattern of all options that take the next word. */
function takingValue(table: CompletionTable): string {
  return [...new Set(valueFlags(table).flatMap(({ flag }) => spellings(flag)))].join("|");
}

function body(table: CompletionTable, offers: Offers): string {
  const [chat, ...others] = table.commands;
  const given = (position: number) => `\${given[${position + offers.firstIndex}]}`;
  const named = others.map(({ name, summary }) => [name, summary] as const);
  const lines = [
    `command=${given(0)}`,
    "case $command in",
    `  ${others.map(({ name }) => name).join("|")}) ;;`,
    `  *) command=${chat?.name ?? ""} ;;`,
    "esac",
    'case "$command $before" in',
    ...valueCases(table, offers),
    "esac",
    "if [[ $word == -* ]]; then",
    "  case $command in",
    ...table.commands.map(({ name, flags }) => `    ${name}) ${offers.described(flagRows(flags))} ;;`),
    "  esac",
    "  return",
    "fi",
    `case "$command \${#given[@]}" in`,
    `  '${chat?.name ?? ""} 0') ${offers.described(named)} ;;`,
    ...others
      .filter(({ verbs }) => verbs.length > 0)
      .map(({ name, verbs }) => `  '${name} 1') ${offers.words(verbs)} ;;`),
    ...others.flatMap((command) => keyCases(command, offers, given)),
    ...others.flatMap(({ name, paths }) =>
      paths === undefined ? [] : [`  '${name} '*) ${offers.paths(paths)} ;;`],
    ),
    "esac",
  ];
  return lines.map((line) => `  ${line}`).join("\n");
}

function flagRows(flags: readonly CompletionFlag[]): readonly (readonly [string, string])[] {
  return flags.flatMap((flag) => spellings(flag).map((spelling) => [spelling, flag.help] as const));
}

/**
 * Returns the cases that offer the values of options. A case for one command comes before the case for all other commands.
 */
function valueCases(table: CompletionTable, offers: Offers): readonly string[] {
  const cases = new Map<string, string[]>();
  const usual = new Map<string, string>();
  for (const { command, flag } of valueFlags(table)) {
    const offer = offerFor(flag, offers);
    const before = usual.get(flag.name) ?? offer;
    usual.set(flag.name, before);
    for (const spelling of spellings(flag)) {
      const pattern = before === offer ? `*' ${spelling}'` : quoted(`${command.name} ${spelling}`);
      cases.set(offer, [...new Set([...(cases.get(offer) ?? []), pattern])]);
    }
  }
  const rows = [...cases].map(([offer, patterns]) => ({ offer, patterns }));
  const row = (offer: string, patterns: readonly string[]) => `  ${patterns.join("|")}) ${offer}; return ;;`;
  const pick = (special: boolean) =>
    rows.flatMap(({ offer, patterns }) => {
      const own = patterns.filter((pattern) => pattern.startsWith("*") !== special);
      return own.length === 0 ? [] : [row(offer, own)];
    });
  return [...pick(true), ...pick(false)];
}

function offerFor({ values, paths }: CompletionFlag, offers: Offers): string {
  if (paths !== undefined) return offers.paths(paths);
  return values.length > 0 ? offers.words(values) : ":";
}

function keyCases(
  { name, keyed }: CompletionCommand,
  offers: Offers,
  given: (position: number) => string,
): readonly string[] {
  if (keyed === undefined) return [];
  const keys = offers.words(keyed.keys.map((key) => key.name));
  const valued = keyed.keys.filter(({ values }) => values.length > 0);
  return [
    `  '${name} 2') case ${given(1)} in ${keyed.verbs.join("|")}) ${keys} ;; esac ;;`,
    `  '${name} 3')`,
    `    case ${given(2)} in`,
    ...valued.map((key) => `      ${key.name}) ${offers.words(key.values)} ;;`),
    "    esac",
    "    ;;",
  ];
}
