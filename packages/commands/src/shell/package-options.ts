/** Finds options of package managers that run scripts in another folder or with other settings. Calls with them ask. */
import type { Concern } from "@localharness/engine";
import type { Program, Words } from "./programs/program.ts";
import { baseName, programOf } from "./programs/table.ts";

export function packageOptionConcerns(calls: readonly Words[]): readonly Concern[] {
  return calls.flatMap(([program = "", ...args]) => {
    const row = programOf(program);
    const found = ownOptions(row, args).find((option) => asksAbout(row, option));
    return found === undefined ? [] : [concernAbout(program, found)];
  });
}

function asksAbout({ asksOptions }: Program, option: string): boolean {
  if (asksOptions === undefined) return false;
  return "risky" in asksOptions ? asksOptions.risky.test(option) : !asksOptions.allBut.test(option);
}

/** Returns the options before `--`. For a row with `allBut`, leaves out those of the program that the call starts. */
function ownOptions({ asksOptions, starts }: Program, args: readonly string[]): readonly string[] {
  const end = args.indexOf("--");
  const own = end === -1 ? args : args.slice(0, end);
  const steps = typeof starts === "object" ? starts.after?.split(" ") : undefined;
  const wraps =
    asksOptions !== undefined && "allBut" in asksOptions && steps?.includes(own[0] ?? "") === true;
  const program = wraps ? own.findIndex((word, index) => index > 0 && !word.startsWith("-")) : -1;
  return (program === -1 ? own : own.slice(0, program)).filter(
    (word) => word.startsWith("-") && word !== "-",
  );
}

function concernAbout(program: string, option: string): Concern {
  return {
    id: `package-option:${option.replace(/=.*$/s, "")}`,
    decision: "ask",
    reason: `${baseName(program)} with "${option}" may run scripts in another folder, by another shell or with other settings`,
  };
}
