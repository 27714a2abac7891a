/** Detects words that are probably not a message, but a mistyped command or a command of another program. */
import { nearWord } from "@localharness/protocol";
import { commands, subcommands } from "./commands.ts";

/** Commands of other programs, each with the way to do the same in this program. */
const foreignCommands: Readonly<Record<string, string>> = {
  version: "localharness --version",
  chat: "localharness, without a word",
  run: 'localharness -p "message"',
  exec: 'localharness -p "message"',
  init: "/init in a chat has the model write AGENTS.md for this folder (docs/instructions.md)",
  login: "keys come from the environment or from keys.json (localharness config path)",
  logout: "keys come from the environment or from keys.json (localharness config path)",
  update: "this program does not update itself; install the new version over this one",
  upgrade: "this program does not update itself; install the new version over this one",
  session: "localharness sessions",
  resume: "localharness --resume",
  continue: "localharness --continue",
  settings: "localharness config show",
  export: "localharness sessions export ID",
  import: "localharness mcp import, for the MCP servers of other programs",
  history: "localharness sessions list",
};

/**
 * Returns an error message for words that are probably not a message; undefined for a message. Detects a misspelled command
 * (at most every third letter is wrong) that is alone or followed by a subcommand. Also detects a command of another program
 * that is the only word.
 */
export function mistypedCommand(words: readonly string[]): string | undefined {
  const [word, ...others] = words;
  if (word === undefined || !/^[a-z]+$/i.test(word)) return undefined;
  const asMessage = `To send it as a message: localharness -- ${words.join(" ")}`;
  const elsewhere = others.length === 0 ? foreignCommands[word.toLowerCase()] : undefined;
  if (elsewhere !== undefined) return `unknown command ${word}. Instead: ${elsewhere}. ${asMessage}`;
  const names = commands.map(({ name }) => name).filter((name) => name !== "chat");
  const meant = nearWord(word, names);
  if (meant === undefined || (others.length > 0 && !subcommands(meant).includes(others[0] ?? ""))) {
    return undefined;
  }
  return `unknown command ${word}. Did you mean ${[meant, ...others].join(" ")}? ${asMessage}`;
}
