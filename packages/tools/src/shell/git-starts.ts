/** What a call of git starts because its own words say so: `git bisect run`, `git rebase -x`, `git -c core.pager=...`. */
import { readGitCall } from "./git-call.ts";

/** Returns commands as text. `words` are those after the program's name. */
export function gitStarts(words: readonly string[]): readonly string[] {
  const { command, args } = readGitCall(words);
  const before = words.slice(0, words.length - args.length);
  const settings = before.filter((_, index) => before[index - 1] === "-c");
  const named = settings.flatMap((setting) => programSetting.exec(setting)?.slice(1) ?? []);
  return [...named, ...ofCommand(command, args.slice(1))].filter((text) => text !== "");
}

const programSetting =
  /^(?:alias\.[^=]*=!|(?:core\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy)|sequence\.editor|pager\.[^=]*|diff\.external|interactive\.difffilter|credential\.[^=]*helper|gpg\.[^=]*program|[^=]*\.(?:command|cmd|textconv|clean|smudge|process|driver|path|uploadpack|receivepack))=!?)(.*)$/is;

type Values = readonly [apart: RegExp, attached: RegExp];

const never = /^$/;
const transport: readonly Values[] = [
  [/^(?:-u|--upload-pack|--receive-pack|--exec)$/, /^--(?:upload-pack|receive-pack|exec)=(.+)$/s],
  [never, /^ext::(.+)$/s],
];

/** Options of a command whose values are commands. */
const values: Readonly<Record<string, readonly Values[]>> = {
  rebase: [[/^(?:-x|--exec)$/, /^(?:-x|--exec=)(.+)$/s]],
  difftool: [[/^(?:-x|--extcmd)$/, /^(?:-x|--extcmd=)(.+)$/s]],
  "filter-branch": [[/^--[a-z]+-filter$/, /^--[a-z]+-filter=(.+)$/s]],
  grep: [[never, /^(?:-O|--open-files-in-pager=)(.+)$/s]],
  ...{ clone: transport, fetch: transport, pull: transport, push: transport, archive: transport },
  ...{ "ls-remote": transport, "fetch-pack": transport, "send-pack": transport },
};

function ofCommand(command: string, args: readonly string[]): readonly string[] {
  if (command === "bisect") return args[0] === "run" ? [args.slice(1).join(" ")] : [];
  if (command === "submodule") {
    const at = args.indexOf("foreach");
    return at === -1
      ? []
      : [
          args
            .slice(at + 1)
            .filter(isNoOption)
            .join(" "),
        ];
  }
  const known = Object.hasOwn(values, command) ? (values[command] ?? []) : [];
  return known.flatMap((one) => valuesOf(args, one));
}

function isNoOption(word: string, index: number): boolean {
  return index > 0 || !/^--?(?:recursive|quiet|q)$/.test(word);
}

function valuesOf(args: readonly string[], [apart, attached]: Values): readonly string[] {
  return args.flatMap((word, index) => {
    const next = apart.test(word) ? args[index + 1] : undefined;
    return next === undefined ? (attached.exec(word)?.slice(1) ?? []) : [next];
  });
}
