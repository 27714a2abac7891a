/** What a command that ended well has achieved, as far as its text tells. */
import type { Achievement } from "@localharness/protocol";
import type { Grammar } from "./grammar.ts";
import { baseName, programOf } from "./programs/table.ts";
import { readCommand } from "./read-command.ts";
import { lookThrough } from "./starts.ts";

/** For a command whose exit code was 0. Only what that exit code vouches for counts. */
export function achievementsOf(command: string, grammar: Grammar): readonly Achievement[] {
  return readCommand(command, grammar).vouched.flatMap(achievedBy);
}

function achievedBy(words: readonly string[]): readonly Achievement[] {
  const [program = "", ...args] = words;
  const name = baseName(program);
  const { achieves, starts } = programOf(name);
  if (achieves?.words.test(args.join(" ")) === true) {
    const subject = [name, ...args].join(" ");
    return [achieves.kind === "committed" ? { kind: "committed" } : { kind: "tests-passed", subject }];
  }
  if (typeof starts !== "object" || starts.apart === true) return [];
  const started = lookThrough(words).flatMap((one) => (one.kind === "call" ? achievedBy(one.words) : []));
  return started.slice(0, 1);
}
