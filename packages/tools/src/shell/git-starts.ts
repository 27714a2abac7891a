/** Finds the commands that git starts because its arguments say so: `git bisect run`, `git rebase -x`, `git -c core.pager=...`. */
import { readGitCall } from "./git-call.ts";
import { optionValues } from "./option-files.ts";

/** Returns the commands as text. `words` are the words after the program's name. */
export function gitStarts(words: readonly string[]): readonly string[] {
  const { command, args } = readGitCall(words);
  const before = words.slice(0, words.length - args.length);
  const settings = before.filter((_, index) => before[index - 1] === "-c");
  const named = settings.flatMap((setting) => programSetting.exec(setting)?.slice(1) ?? []);
  return [...named, ...ofCommand(command, args.slice(1))].filter((text) => text !== "");
}

const programSetting =
  /^(?:alias\.[^=]*=!|(?:core\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy)|sequence\.editor|pager\.[^=]*|diff\.external|interactive\.difffilter|credential\.[^=]*helper|gpg\.[^=]*program|[^=]*\.(?:command|cmd|textconv|clean|smudge|process|driver|path|uploadpack|receivepack))=!?)(.*)$/is;

const transport = /^(?:(?:-u|--upload-pack|--receive-pack|--exec)(?:=(.+))?|ext::(.+))$/s;

/** For each command of git, a pattern that matches the options whose values are commands to start. */
const values: Readonly<Record<string, RegExp>> = {
  rebase: /^(?:-x|--exec(?:=|$))(.+)?$/s,
  difftool: /^(?:-x|--extcmd(?:=|$))(.+)?$/s,
  "filter-branch": /^--[a-z]+-filter(?:=(.+))?$/s,
  grep: /^(?:-O|--open-files-in-pager=)(.+)$/s,
  ...{ clone: transport, fetch: transport, pull: transport, push: transport, archive: transport },
  ...{ "ls-remote": transport, "fetch-pack": transport, "send-pack": transport },
};

function ofCommand(command: string, args: readonly string[]): readonly string[] {
  if (command === "bisect") return args[0] === "run" ? [args.slice(1).join(" ")] : [];
  if (command === "submodule") {
    const started = args.slice(args.indexOf("foreach") + 1).filter(isNoOption);
    return args.includes("foreach") ? [started.join(" ")] : [];
  }
  const known = Object.hasOwn(values, command) ? values[command] : undefined;
  return known === undefined ? [] : optionValues(args, known);
}

function isNoOption(word: string, index: number): boolean {
  return index > 0 || !/^--?(?:recursive|quiet|q)$/.test(word);
}
