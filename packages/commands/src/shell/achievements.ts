/** Finds the achievements of a command, such as passed tests, in its reading. */
import type { Achievement } from "@localharness/protocol";
import type { Words } from "./programs/program.ts";
import { baseName, programOf } from "./programs/table.ts";
import type { CommandReading } from "./read-command.ts";
import { lookThrough } from "./starts.ts";

/** Returns the achievements of a command with exit code 0. Uses only calls that certainly had exit code 0 too. */
export function achievementsOf({ vouched }: CommandReading): readonly Achievement[] {
  return vouched.flatMap((words) => {
    const kind = achievedBy(words);
    if (kind === undefined) return [];
    return kind === "committed"
      ? { kind }
      : { kind, subject: [baseName(words[0] ?? ""), ...words.slice(1)].join(" ") };
  });
}

function achievedBy(words: Words): Achievement["kind"] | undefined {
  const { achieves, starts } = programOf(words[0] ?? "");
  if (achieves?.words.test(words.slice(1).join(" ")) === true) return achieves.kind;
  if (typeof starts !== "object" || starts.apart === true) return undefined;
  const started = lookThrough(words).map((one) => (one.kind === "call" ? achievedBy(one.words) : undefined));
  return started.find((kind) => kind !== undefined);
}
