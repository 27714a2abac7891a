/**
 * A rough look at a shell command: which programs it names. Good enough to refuse an obvious disaster and to see that
 * tests were run; it is not what permissions are decided on.
 */

export interface SimpleCommand {
  /** Unquoted words, redirections left out. */
  readonly words: readonly string[];
  /** Files that output is redirected to. */
  readonly writesTo: readonly string[];
  /** Files that input comes from. */
  readonly readsFrom: readonly string[];
  /** What stands after it: `&&`, `||`, `|`, `;`, `&` or nothing. */
  readonly after: string;
}

type Token = { readonly kind: "word" | "operator"; readonly text: string };

/** Commands in subshells and substitutions are listed like any other. */
export function splitCommand(command: string): readonly SimpleCommand[] {
  const commands: SimpleCommand[] = [];
  let words: string[] = [];
  let writesTo: string[] = [];
  let readsFrom: string[] = [];
  let redirect: "to" | "from" | "both" | "text" | undefined;
  for (const token of [...tokens(withoutHeredocs(command)), { kind: "operator", text: "" } as const]) {
    if (token.kind === "word") {
      if (redirect !== "text") {
        (redirect === "to" ? writesTo : redirect === undefined ? words : readsFrom).push(token.text);
        if (redirect === "both") {
          writesTo.push(token.text);
        }
      }
      redirect = undefined;
    } else if (token.text.startsWith(">")) {
      redirect = "to";
    } else if (token.text === "<>") {
      redirect = "both";
    } else if (token.text === "<") {
      redirect = "from";
    } else if (token.text === "<<") {
      redirect = "text";
    } else {
      const bare = withoutWrappers(words);
      if (bare.length > 0 || writesTo.length > 0 || readsFrom.length > 0) {
        commands.push({ words: bare, writesTo, readsFrom, after: token.text });
      }
      words = [];
      writesTo = [];
      readsFrom = [];
      redirect = undefined;
    }
  }
  return commands;
}

const keywords = new Set([
  "then",
  "do",
  "else",
  "elif",
  "if",
  "while",
  "until",
  "!",
  "{",
  "}",
  "time",
  "fi",
  "done",
]);
const wrappers = new Set([
  "sudo",
  "doas",
  "env",
  "nohup",
  "nice",
  "ionice",
  "command",
  "exec",
  "builtin",
  "stdbuf",
  "setsid",
]);

/** Without assignments, shell keywords and programs that only start another one. */
function withoutWrappers(words: readonly string[]): readonly string[] {
  let index = 0;
  let wrapped = false;
  for (; index < words.length; index += 1) {
    const word = words[index] ?? "";
    const name = programName(word);
    if (wrappers.has(name)) {
      wrapped = true;
    } else if (!(keywords.has(word) || /^\w+=/.test(word) || (wrapped && word.startsWith("-")))) {
      break;
    }
  }
  return words.slice(index);
}

/** `rm` for `/bin/rm`. */
export function programName(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1);
}

function withoutHeredocs(command: string): string {
  const lines = command.split("\n");
  const kept: string[] = [];
  let waitingFor: string | undefined;
  for (const line of lines) {
    if (waitingFor === undefined) {
      kept.push(line);
      waitingFor = /<<-?\s*(["']?)([\w.-]+)\1/.exec(line)?.[2];
    } else if (line.trim() === waitingFor) {
      waitingFor = undefined;
    }
  }
  return kept.join("\n");
}

const operators = /^(?:<>|&&|\|\||\|&|;;|&>>|&>|>>|>\||<<<|<<-|<<|[;&|<>()\n`])/;

function* tokens(command: string): Generator<Token> {
  let word = "";
  let inWord = false;
  let position = 0;
  while (position < command.length) {
    const rest = command.slice(position, position + 3);
    const operator = rest.startsWith("$(") ? "$(" : operators.exec(rest)?.[0];
    const character = command[position] ?? "";
    if (operator !== undefined || character === " " || character === "\t") {
      if (inWord && !(operator?.startsWith(">") === true && /^\d$/.test(word))) {
        yield { kind: "word", text: word };
      }
      word = "";
      inWord = false;
      if (operator !== undefined) {
        yield { kind: "operator", text: operatorName(operator) };
      }
      position += operator?.length ?? 1;
      // `2>&1` names a descriptor, not a file.
      const descriptor =
        operator?.startsWith(">") === true
          ? /^&\d/.exec(command.slice(position, position + 2))?.[0]
          : undefined;
      position += descriptor?.length ?? 0;
      continue;
    }
    const quoted = readQuoted(command, position);
    word += quoted.text;
    inWord = true;
    position = quoted.end;
  }
  if (inWord) {
    yield { kind: "word", text: word };
  }
}

function operatorName(operator: string): string {
  if (operator === "\n" || operator === ";;") {
    return ";";
  }
  return operator.startsWith("&>") ? ">" : operator.startsWith("<<") ? "<<" : operator;
}

/** One character, escape or quoted part from `position`. */
function readQuoted(command: string, position: number): { readonly text: string; readonly end: number } {
  const character = command[position] ?? "";
  if (character === "\\") {
    return { text: command[position + 1] === "\n" ? "" : (command[position + 1] ?? ""), end: position + 2 };
  }
  if (character !== "'" && character !== '"') {
    return { text: character, end: position + 1 };
  }
  let text = "";
  let end = position + 1;
  while (end < command.length && command[end] !== character) {
    if (character === '"' && command[end] === "\\") {
      end += 1;
    }
    text += command[end] ?? "";
    end += 1;
  }
  return { text, end: end + 1 };
}
