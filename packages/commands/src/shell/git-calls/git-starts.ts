/** Finds the commands that git starts because its arguments say so: `git bisect run`, `git rebase -x`, `git -c core.pager=...`. */

import { shellQuoted } from "@localharness/processes/children/shell-program";
import { wordsPattern } from "@localharness/workspace/patterns";
import { readGitCall } from "../git-call.ts";
import { optionValues } from "../option-files.ts";
import type { Words, Wrapped } from "../programs/program.ts";

/** Returns the started calls, and the texts that a shell reads. `words` are the words after the program's name. */
export function gitStarts(words: Words): readonly Wrapped[] {
  const { command, args } = readGitCall(words);
  const before = words.slice(0, words.length - args.length);
  const settings = before.filter((_, index) => before[index - 1] === "-c");
  const rest = args.slice(1);
  const texts = settings.flatMap((setting) => [
    ...(programSetting.exec(setting)?.slice(1) ?? []),
    ...ofAlias(setting, command, rest),
  ]);
  return [...texts.filter((text) => text !== "").map(asText), ...ofCommand(command, rest)];
}

function asText(text: string): Wrapped {
  return { kind: "text", text };
}

/**
 * Returns the text that git runs for an alias: a command of git, or a text for the shell, with the words of the call.
 * Returns an empty list if `setting` does not define `command`.
 */
function ofAlias(setting: string, command: string, rest: Words): Words {
  const [, name = "", shell = "", text = ""] = /^alias\.([^=]*)=(!?)(.*)$/is.exec(setting) ?? [];
  if (text === "" || name.toLowerCase() !== command.toLowerCase()) return [];
  return [[shell === "" ? `git ${text}` : text, ...rest.map(shellQuoted)].join(" ")];
}

const programSetting = wordsPattern(
  "^",
  String.raw`alias\.[^=]*=! core\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy)=!? sequence\.editor=!?
    pager\.[^=]*=!? diff\.external=!? interactive\.difffilter=!? credential\.[^=]*helper=!? gpg\.[^=]*program=!?
    [^=]*\.(?:command|cmd|textconv|clean|smudge|process|driver|path|uploadpack|receivepack)=!?`,
  "(.*)$",
  "is",
);

const transport = /^(?:(?:-u|--upload-pack|--receive-pack|--exec)(?:=(.+))?|ext::(.+))$/s;

/** For each command of git, a pattern that matches the options whose values are commands to start. */
const values: Readonly<Record<string, RegExp>> = {
  rebase: /^(?:-[a-zA-Z]*x|--exe?c?(?:=|$))(.+)?$/s,
  difftool: /^(?:-x|--extcmd(?:=|$))(.+)?$/s,
  "filter-branch": /^--[a-z]+-filter(?:=(.+))?$/s,
  grep: /^(?:-O|--open-files-in-pager=)(.+)$/s,
  ...{ clone: transport, fetch: transport, pull: transport, push: transport, archive: transport },
  ...{ "ls-remote": transport, "fetch-pack": transport, "send-pack": transport },
};

function ofCommand(command: string, args: Words): readonly Wrapped[] {
  // Git gives the words to the shell in quotes, so no operator in a word counts.
  if (command === "bisect") return args[0] === "run" ? [{ kind: "call", words: args.slice(1) }] : [];
  if (command === "submodule") {
    const after = args.includes("foreach") ? args.slice(args.indexOf("foreach") + 1) : [];
    const [text, ...words] = after.slice(after.findIndex((word) => !word.startsWith("-")));
    // The shell reads the first word as text, and gets the other words in quotes.
    return text === undefined ? [] : [asText([text, ...words.map(shellQuoted)].join(" "))];
  }
  const known = Object.hasOwn(values, command) ? values[command] : undefined;
  return known === undefined ? [] : optionValues(args, known).map(asText);
}
