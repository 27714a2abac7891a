/** Checks the overhead of the program in requests, bytes and file operations, which do not depend on time. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { countOverhead } from "../bench/counts.ts";
import { countSteps, type StepsTaken } from "./faults/kill-at-step.ts";
import { makePlace, program, run } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const goals = { minimal: 3000, standard: 7000, all: 12000 } as const;

test.each([
  { wire: "openai", asked: ["GET /v1/models"] },
  // Before the first request and after the first answer: whether the model is loaded, and how.
  { wire: "ollama", asked: ["GET /api/ps", "GET /api/ps", "POST /api/show"] },
] as const)(
  "over the $wire wire ten turns make no request beside the conversation but $asked, once, and each prompt begins with the one before",
  async ({ wire, asked }) => {
    const counts = await countOverhead([process.execPath, program()], { wire });
    expect(counts.problems).toEqual([]);
    expect(counts.sideRequests.map((request) => request.split("?", 1)[0]).toSorted()).toEqual(asked);
    expect(counts.prefixExact).toBe(true);
  },
);

test.each(["minimal", "standard", "all"] as const)(
  "prompt and schemas of the set %s stay small",
  async (tools) => {
    const counts = await countOverhead([process.execPath, program()], { tools, turns: 1 });
    expect(counts.problems).toEqual([]);
    expect(counts.systemBytes + counts.toolsBytes).toBeLessThan(goals[tools]);
  },
);

test.each(["openai", "ollama"] as const)(
  "over the %s API the prompt of each request begins with the prompt of the one before",
  async (wire) => {
    const counts = await countOverhead([process.execPath, program()], { wire, template: "takes-all" });
    expect(counts.problems).toEqual([]);
    expect(counts.refused).toEqual([]);
    expect(counts.renderedKept).toBe(1);
  },
);

/** Returns how often a run that reads this many files, one a turn, calls each function of `node:fs` in its folders. */
async function operationsOf(reads: number): Promise<ReadonlyMap<string, number>> {
  const names = Array.from({ length: reads }, (_, index) => `file${index}.txt`);
  const place = makePlace(Object.fromEntries(names.map((name) => [name, `${name}\n`])));
  const calls = names.map((path) => ({ calls: [{ name: "read_file", arguments: { path } }] }));
  const server = await serveModel([...calls, { text: "Done." }]);
  const report = join(dirname(place.home), "steps");
  const counted = join(import.meta.dirname, "faults", "count-steps.ts");
  const { code } = await run(
    ["-p", "--mode", "bypass", "--iterations-per-turn", "30", ...argumentsFor(server), "read them"],
    {
      place,
      program: [process.execPath, "--import", counted, program()],
      env: countSteps({ folder: dirname(place.home), report }),
    },
  );
  expect(code).toBe(0);
  const { operations }: StepsTaken = JSON.parse(readFileSync(report, "utf8"));
  const counts = new Map<string, number>();
  for (const { name } of operations) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

test("a turn with one read takes these file operations", async () => {
  const [few, many] = [await operationsOf(2), await operationsOf(12)];
  const more = [...many].map(([name, count]) => [name, (count - (few.get(name) ?? 0)) / 10] as const);
  expect(Object.fromEntries(more.filter(([, count]) => count !== 0))).toEqual({
    openSync: 8,
    fstatSync: 8,
    // Examination, preview and execution each ask whether the path's own file is there, or only one that looks the same.
    lstatSync: 3,
    // One of them asks whether the person's rules have changed since the last call.
    statSync: 3,
    readSync: 2,
    writeSync: 5,
  });
});

/** Counts the bytes of the bundle that a program reads, and prints them when it exits. */
const countBundle = `data:text/javascript,${encodeURIComponent(`
  import fs from "node:fs";
  const { readFileSync } = fs;
  let bytes = 0;
  fs.readFileSync = (path, ...rest) => {
    const content = readFileSync(path, ...rest);
    if (String(path).endsWith(".cjs")) bytes += content.length;
    return content;
  };
  process.on("exit", () => process.stderr.write("bytes: " + bytes));
`)}`;

test.each([
  { option: "--version", most: 8_000 },
  { option: "--help", most: 300_000 },
])("$option reads less than $most bytes of the bundle", async ({ option, most }) => {
  const { code, stderr } = await run([option], {
    program: [process.execPath, "--import", countBundle, program()],
  });
  expect(code).toBe(0);
  const bytes = Number(/^bytes: (\d+)$/.exec(stderr)?.[1]);
  expect(bytes).toBeGreaterThan(500);
  expect(bytes).toBeLessThan(most);
});
