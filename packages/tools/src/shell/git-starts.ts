/** What a call of git starts because its own words say so: `git bisect run`, `git rebase -x`, `git -c core.pager=...`. */
import { readGitCall } from "./git-call.ts";

/** Commands as text. `words` is the whole call, `git` first. */
export function gitStarts(words: readonly string[]): readonly string[] {
  const { command, args } = readGitCall(words);
  const before = words.slice(1, words.length - args.length);
  const settings = before.filter((_, index) => before[index - 1] === "-c");
  const named = settings.flatMap((setting) => programSetting.exec(setting)?.slice(1) ?? []);
  return [...named, ...ofCommand(command, args.slice(1))].filter((text) => text !== "");
}

const programSetting =
  /^(?:alias\.[^=]*=!|(?:core\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy)|sequence\.editor|pager\.[^=]*|diff\.external|interactive\.difffilter|credential\.[^=]*helper|gpg\.[^=]*program|[^=]*\.(?:command|cmd|textconv|clean|smudge|process|driver|path|uploadpack|receivepack))=!?)(.*)$/is;

function ofCommand(command: string, args: readonly string[]): readonly string[] {
  switch (command) {
    case "bisect":
      return args[0] === "run" ? [args.slice(1).join(" ")] : [];
    case "submodule": {
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
    case "rebase":
      return valuesOf(args, /^(?:-x|--exec)$/, /^(?:-x|--exec=)(.+)$/s);
    case "difftool":
      return valuesOf(args, /^(?:-x|--extcmd)$/, /^(?:-x|--extcmd=)(.+)$/s);
    case "filter-branch":
      return valuesOf(args, /^--[a-z]+-filter$/, /^--[a-z]+-filter=(.+)$/s);
    case "grep":
      return valuesOf(args, /^$/, /^(?:-O|--open-files-in-pager=)(.+)$/s);
    case "clone":
    case "fetch":
    case "pull":
    case "push":
    case "ls-remote":
    case "archive":
    case "fetch-pack":
    case "send-pack":
      return [
        ...valuesOf(
          args,
          /^(?:-u|--upload-pack|--receive-pack|--exec)$/,
          /^--(?:upload-pack|receive-pack|exec)=(.+)$/s,
        ),
        ...valuesOf(args, /^$/, /^ext::(.+)$/s),
      ];
    default:
      return [];
  }
}

function isNoOption(word: string, index: number): boolean {
  return index > 0 || !/^--?(?:recursive|quiet|q)$/.test(word);
}

function valuesOf(args: readonly string[], apart: RegExp, attached: RegExp): readonly string[] {
  return args.flatMap((word, index) => {
    const next = apart.test(word) ? args[index + 1] : undefined;
    return next === undefined ? (attached.exec(word)?.slice(1) ?? []) : [next];
  });
}
