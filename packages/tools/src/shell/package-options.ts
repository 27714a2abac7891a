/** Options of package managers that change what their scripts are run with, or where: they are asked about. */
import type { Concern } from "@localharness/engine";
import { baseName } from "./wrappers.ts";

/** For npm every other option counts: it takes abbreviations, and its settings are many. */
const npmHarmless =
  /^(?:-s|-q|-d|-g|-D|-E|-S|-O|-P|-f|-y|-v|--silent|--quiet|--if-present|--ignore-scripts|--no-audit|--no-fund|--prefer-offline|--offline|--no-progress|--save|--save-dev|--save-exact|--save-optional|--save-peer|--no-save|--production|--omit=\w+|--include=\w+|--json|--long|--depth=\d+|--all|--global|--force|--yes|--version|--help|--legacy-peer-deps|--package-lock-only|--no-package-lock|--loglevel=\w+|--color=?\w*|--no-color|--workspaces|-ws|--include-workspace-root|--dry-run)$/;

const risky =
  /^(?:-C|--dir|--cwd|--prefix|--script-shell|--shell|--shell-emulator|--node-options|--userconfig|--globalconfig|--config|--config\..*|--npmrc|--use-yarnrc|--use-node-version|--global-dir|--modules-folder|--preload|-r|--require|--import|--init-module|--git|--editor|--viewer)(?:=|$)|^-C./;

export function packageOptionConcerns(calls: readonly (readonly string[])[]): readonly Concern[] {
  return calls.flatMap((words) => {
    const name = baseName(words[0] ?? "");
    const options = ownOptions(name, words.slice(1));
    const found = options.find((word) =>
      name === "npm" ? !npmHarmless.test(word) : /^(?:pnpm|yarn|bun)$/.test(name) && risky.test(word),
    );
    return found === undefined ? [] : [concern(name, found)];
  });
}

/** Up to `--`; what comes after a script's name is the script's own for all but npm. */
function ownOptions(name: string, args: readonly string[]): readonly string[] {
  const end = args.indexOf("--");
  const own = end === -1 ? args : args.slice(0, end);
  // The rest is for the program that `npm exec` starts.
  const program =
    name === "npm" && /^(?:exec|x)$/.test(own[0] ?? "")
      ? own.findIndex((word, index) => index > 0 && !word.startsWith("-"))
      : -1;
  return (program === -1 ? own : own.slice(0, program)).filter(
    (word) => word.startsWith("-") && word !== "-",
  );
}

function concern(name: string, option: string): Concern {
  return {
    id: `package-option:${option.replace(/=.*$/s, "")}`,
    decision: "ask",
    reason: `${name} with "${option}" may run scripts in another folder, by another shell or with other settings`,
  };
}
