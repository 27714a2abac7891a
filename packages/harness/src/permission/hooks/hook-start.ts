/** Finds the file that a hook starts. The check before a permission and the start use this one answer. */
import { basename } from "node:path";
import { interpreterOf, isProgram } from "@localharness/processes/children/find-program";
import type { OutsidePrograms } from "@localharness/processes/children/programs";
import type { HookSetting } from "./hook-settings.ts";

export type HookStart =
  | { readonly kind: "program"; readonly path: string }
  | { readonly kind: "problem"; readonly problem: string };

/** The programs that are outside of the folders to which commands may write. */
type Outside = Pick<OutsidePrograms, "find">;

/**
 * Returns the program of a hook, or the reason why it cannot start. A hook of the project (`ofProject`) may name a file of the
 * project, by an absolute path.
 */
export function hookStart(
  { command: [program = ""], ofProject }: Pick<HookSetting, "command"> & { readonly ofProject?: true },
  outside: Outside,
): HookStart {
  const path = ofProject === true && program.startsWith("/") ? existing(program) : outside.find(program);
  if (path === undefined) return { kind: "problem", problem: whyNot(program, ofProject === true) };
  return startOf(path, outside);
}

function existing(path: string): string | undefined {
  return isProgram(path) ? path : undefined;
}

function whyNot(program: string, ofProject: boolean): string {
  if (!program.includes("/")) {
    const hint = ofProject ? `. A file of the project is named with a slash: ./${program}` : "";
    return `there is no program ${program} in PATH outside of the workspace${hint}`;
  }
  if (!isProgram(program)) return `${program} is not there, or is no file that can be executed (chmod +x)`;
  return `${program} is in a folder to which commands may write`;
}

/** Returns the program, or a problem if it is a script whose interpreter is missing. */
function startOf(path: string, outside: Outside): HookStart {
  try {
    const interpreter = interpreterOf(path);
    const isThere =
      interpreter === undefined || isProgram(interpreter) || outside.find(interpreter) !== undefined;
    if (isThere) return { kind: "program", path };
    return { kind: "problem", problem: `${basename(path)} needs ${interpreter}, which is not there` };
  } catch {
    // A program that only the system may read has no first line here.
    return { kind: "program", path };
  }
}
