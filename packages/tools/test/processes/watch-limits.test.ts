import { createPrograms } from "@localharness/processes/children/create-programs";
import { expect, onTestFinished, test } from "vitest";
import { hangMs } from "../../../../test/measures.ts";
import { temporaryFolder } from "../../../workspace/test/temporary-folder.ts";

function runLimited(script: string, limits: { processes?: number; memoryBytes?: number }) {
  const programs = createPrograms({ environment: process.env, pass: [], limits });
  onTestFinished(() => programs.close());
  return programs.run({
    program: "/bin/bash",
    args: ["-c", script],
    cwd: temporaryFolder(),
    timeoutMs: 10 * hangMs,
    signal: new AbortController().signal,
    onOutput: () => {},
  });
}

const many = "for i in $(seq 40); do sleep 300 & done; wait";
const much = `exec ${process.execPath} -e 'globalThis.x = Buffer.alloc(300e6, 1); setTimeout(() => {}, 300_000)'`;

test.runIf(process.platform === "linux").each([
  [many, { processes: 20 }, "SIGKILL (more than 20 processes at once)"],
  [much, { memoryBytes: 200 * 1024 * 1024 }, "SIGKILL (more than 200 MB of memory)"],
])("%s ends at %j", async (script, limits, signal) => {
  const { end, durationMs } = await runLimited(script, limits);
  expect(end).toEqual({ kind: "killed", signal, atLimit: true });
  expect(durationMs).toBeLessThan(hangMs);
});

test("within the limits nothing is ended", async () => {
  const { end } = await runLimited("for i in 1 2 3; do sleep 0.4 & done; wait; exit 3", { processes: 20 });
  expect(end).toEqual({ kind: "exited", code: 3 });
});
