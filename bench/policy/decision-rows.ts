/** Measures a decision by number and kind of rules: with rules just read, and with rules in use. */
import { createPolicy, type PolicyQuestion, type PolicyRule } from "@localharness/engine";
import { table } from "../measure/figures.ts";

const counts = [10, 100, 1_000];
const repeats = 5;
const coldTimes = 100;
const warmTimes = 1_000;

/** Kinds of rules that people have: remembered answers, denied files, commands to ask about, and mixtures of them. */
const kinds: Readonly<Record<string, (index: number) => Partial<PolicyRule>>> = {
  "mixed, half for one tool": (index) => ({
    ...mixed(index),
    tool: index % 8 < 4 ? "bash" : `tool-${index % 40}`,
  }),
  "remembered commands": (index) => ({
    tool: "bash",
    decision: "allow",
    workspace: "/w",
    scope: `npm run ${index}`,
  }),
  "paths, any tool": (index) => ({
    decision: "deny",
    path: `**/folder-${index}/*secret*.env`,
    access: "write",
  }),
  "commands, one tool": (index) => ({
    tool: "bash",
    decision: "ask",
    command: ["git", `action-${index}`, "*"],
  }),
};

function mixed(index: number): Partial<PolicyRule> {
  if (index % 4 === 0) return { decision: "allow", workspace: "/w", scope: `npm run ${index}` };
  if (index % 4 === 1) return { decision: "deny", path: `folder-${index}/**` };
  if (index % 4 === 2) return { decision: "ask", command: ["git", `action-${index}`, "*"] };
  return { decision: "allow", arguments: { path: { matches: `docs-${index}*` } }, risk: ["low", "medium"] };
}

function rulesOf(kind: (index: number) => Partial<PolicyRule>, count: number): readonly PolicyRule[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `${index}`,
    decision: "ask",
    justification: "because",
    ...kind(index),
  }));
}

/** Returns a question about three program calls and eight files. No rule matches it, so all rules are evaluated. */
function questionOf(index: number): PolicyQuestion {
  const paths = Array.from(
    { length: 8 },
    (_, file) => `packages/part-${index % 50}/src/deep/er/file-${file}.ts`,
  );
  const calls = [
    ["npm", "test"],
    ["git", "status", "--short"],
    ["ls", "-l", ...paths],
  ];
  return {
    tool: "bash",
    arguments: { command: "npm test; git status --short; ls -l ..." },
    scope: `npm test ${index}`,
    risk: "high",
    readOnly: false,
    editsFiles: false,
    mode: "default",
    workspace: "/w",
    facts: {
      paths: paths.map((path) => ({ path, access: "write" })),
      command: { text: "npm test; git status --short; ls -l ...", calls },
    },
  };
}

function microseconds(work: () => void): number {
  const started = performance.now();
  work();
  return (performance.now() - started) * 1_000;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/**
 * Returns `count` measured times. Each is the shortest of several times for the same question, to exclude
 * disturbances of the machine.
 */
function timesOf(count: number, time: (index: number) => number): readonly number[] {
  return Array.from({ length: count }, (_, index) =>
    Math.min(...Array.from({ length: repeats }, () => time(index))),
  );
}

/** Prints the table and returns the slowest p99 of rules in use, in microseconds. */
export function decisionRows(print: (line: string) => void): number {
  const rows: string[][] = [];
  let slowest = 0;
  for (const [name, kind] of Object.entries(kinds)) {
    for (const count of counts) {
      const cold = timesOf(coldTimes, (index) => {
        const rules = rulesOf(kind, count);
        return microseconds(() => void createPolicy(rules).decide(questionOf(index)));
      });
      const policy = createPolicy(rulesOf(kind, count));
      const warm = timesOf(warmTimes, (index) => {
        const question = questionOf(index);
        return microseconds(() => void policy.decide(question));
      });
      const figures = [cold, warm].flatMap((times) => [percentile(times, 0.5), percentile(times, 0.99)]);
      rows.push([name, `${count}`, ...figures.map((value) => value.toFixed(value < 10 ? 1 : 0))]);
      slowest = Math.max(slowest, percentile(warm, 0.99));
    }
  }
  print(table(["rules", "number", "cold p50 µs", "cold p99 µs", "warm p50 µs", "warm p99 µs"], rows));
  return slowest;
}
