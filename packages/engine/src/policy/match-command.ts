/** Checks the condition of a rule about the programs that a command calls. */
import type { Match } from "./condition.ts";
import type { PolicyQuestion, PolicyRule } from "./rule.ts";

/** Returns the condition; undefined for a rule without a condition about commands. */
export function commandCondition(rule: PolicyRule): ((question: PolicyQuestion) => Match) | undefined {
  const { command } = rule;
  if (command === undefined) return undefined;
  return rule.decision === "allow" ? allows(command) : restricts(command);
}

/**
 * Returns a condition that holds if the command could be read with certainty, has at least one program call, and all of its
 * calls match.
 */
function allows(pattern: readonly string[]): (question: PolicyQuestion) => Match {
  return ({ facts }) => {
    const { calls, unclear } = facts.command ?? {};
    if (calls === undefined || calls.length === 0 || unclear !== undefined) return "no";
    return calls.every((words) => fits(pattern, words, words[0])) ? "yes" : "no";
  };
}

/**
 * Returns a condition that holds if any program call matches, even a call that a wrapper starts or that uses a full path.
 * The condition is unsure if no call matches and some calls may be unknown.
 */
function restricts(pattern: readonly string[]): (question: PolicyQuestion) => Match {
  const byName = pattern[0]?.includes("/") !== true;
  const folded = pattern.map((word, index) => (index === 0 ? foldProgram(word) : word));
  const folds = folded[0] !== pattern[0];
  return ({ facts }) => {
    if (facts.command === undefined) return "no";
    const { calls = [], hidden = [], unclear, known } = facts.command;
    for (const words of [...calls, ...hidden]) {
      const program = words[0];
      const name = byName ? program?.slice(program.lastIndexOf("/") + 1) : program;
      if (fits(pattern, words, name)) return "yes";
      const other = name === undefined ? undefined : foldProgram(name);
      if ((folds || other !== name) && fits(folded, words, other)) return "yes";
    }
    const isClear = unclear === undefined && facts.command.calls !== undefined;
    return isClear || known !== undefined ? "no" : "unsure";
  };
}

/** Returns the name in lower case without `.exe`, because on some systems `RM` and `rm.exe` mean the program `rm`. */
function foldProgram(name: string): string {
  return name.toLowerCase().replace(/\.exe$/, "");
}

/**
 * Returns true if the words match the pattern. `program` is compared in place of the first word. A final `*` in the pattern
 * matches any further words.
 */
function fits(pattern: readonly string[], words: readonly string[], program: string | undefined): boolean {
  const open = pattern.at(-1) === "*";
  const fixed = open ? pattern.length - 1 : pattern.length;
  if (open ? words.length < fixed : words.length !== fixed) return false;
  for (let index = 0; index < fixed; index += 1) {
    if (pattern[index] !== (index === 0 ? program : words[index])) return false;
  }
  return true;
}
