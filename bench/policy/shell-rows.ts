/** Measures what it costs to examine a shell command, and to load the shell grammar. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPolicy, policyQuestion } from "@localharness/engine";
import { createTools, openToolResources } from "@localharness/tools";
import { goalLine } from "../measure/figures.ts";

const commands = [
  "git status",
  "ls -la src",
  "npm test",
  "cd sub && npm run build 2>&1 | tail -n 20",
  "grep -rn needle src | sort | uniq -c | head -20",
  'for f in *.ts; do echo "$f" >> out.txt; done',
  "sudo timeout 60 bash -c 'rm -rf build; make -j4 all'",
  `git commit -m "${"a long message ".repeat(200)}"`,
] as const;

const rounds = 2_000;
const goalMs = 1;

export async function shellRows(print: (line: string) => void): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), "bench-shell-"));
  const workspace = join(place, "ws");
  for (const folder of [".git/objects", ".git/refs", "src", "sub"])
    mkdirSync(join(workspace, folder), { recursive: true });
  writeFileSync(join(workspace, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(workspace, ".git/config"), "[core]\n\tbare = false\n");
  writeFileSync(join(workspace, "package.json"), '{"scripts":{"test":"true","build":"true"}}');
  const resources = await openToolResources({ workspace, stateFolder: join(place, "state") });
  try {
    const bash = createTools(resources).find((tool) => tool.name === "bash");
    if (bash === undefined) throw new Error("there is no tool named bash");
    const policy = createPolicy([]);
    const decide = async (command: string) => {
      const started = performance.now();
      policy.decide(await policyQuestion(bash, { command }, { mode: "default", workspace }));
      return performance.now() - started;
    };
    print("\nShell commands, parsed, examined and decided:\n");
    print(`first command, with loading the grammar: ${(await decide("ls")).toFixed(0)} ms`);
    const worst: number[] = [];
    for (const command of commands) {
      for (let round = 0; round < rounds / 10; round += 1) await decide(command);
      const times: number[] = [];
      const before = process.cpuUsage();
      for (let round = 0; round < rounds; round += 1) times.push(await decide(command));
      times.sort((a, b) => a - b);
      const at = (part: number) => times[Math.floor(part * (times.length - 1))] ?? 0;
      worst.push(at(0.99));
      const { user, system } = process.cpuUsage(before);
      const processor = ((user + system) / rounds / 1000).toFixed(3);
      print(
        `p50 ${at(0.5).toFixed(3)} ms  p99 ${at(0.99).toFixed(3)} ms  processor ${processor} ms  ${command.slice(0, 50)}`,
      );
    }
    const slowest = Math.max(...worst);
    print(
      `\n${goalLine("command examined, warm p99 < 1 ms", `${slowest.toFixed(2)} ms`, slowest < goalMs)}\n`,
    );
  } finally {
    await resources.close();
    rmSync(place, { recursive: true, force: true });
  }
}
