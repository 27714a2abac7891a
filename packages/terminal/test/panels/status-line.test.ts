import { type EventBody, emptyView, type Host, type SessionEvent } from "@localharness/protocol";
import { expect, test } from "vitest";
import { changesPlace, readPlace, statusLine } from "../../src/panels/status-line.ts";
import { createTheme } from "../../src/theme/theme.ts";

const theme = createTheme("none", {});
const facts = {
  view: emptyView,
  mode: "default",
  windowUsed: undefined,
  tokensPerSecond: undefined,
  model: "m",
  sandbox: "sandbox",
  branch: "main",
  iterationLimit: 10,
} as const;

test.each([
  [0, "m · main · sandbox · default"],
  [1, "m · 1 job · main · sandbox · default"],
  [3, "m · 3 jobs · main · sandbox · default"],
])("with %s commands in the background is %s", (jobs, line) => {
  expect(statusLine({ ...facts, jobs }, 80, theme)).toBe(line);
});

test("counts the jobs that run, and keeps the count while the host cannot say", async () => {
  const job = { id: "job-1", command: "c", state: "running", ageMs: 1, lastLine: "" };
  const host = (listJobs: Host["listJobs"]) =>
    ({ readBranch: async () => undefined, readSandbox: async () => "s", listJobs }) as unknown as Host;
  const before = { branch: undefined, sandbox: "s", jobs: 4 };
  const listed = [job, job, { ...job, state: "ended" }].map((one) => ({
    ...one,
    running: one.state === "running",
  }));
  expect(
    (
      await readPlace(
        host(async () => listed),
        before,
      )
    ).jobs,
  ).toBe(2);
  expect(
    (
      await readPlace(
        host(() => Promise.reject(new Error("gone"))),
        before,
      )
    ).jobs,
  ).toBe(4);
});

test.each<readonly [string, EventBody, boolean]>([
  ["the end of a turn", { type: "turn-end", reason: "done", denied: 0 }, true],
  [
    "the end of a job",
    { type: "notice", level: "info", code: "job-ended", message: "job-1 has ended" },
    true,
  ],
  ["another notice", { type: "notice", level: "info", code: "compacted", message: "" }, false],
  ["the start of a job", result("job-1 runs in the background. You are told when it ends."), true],
  ["another result", result("job-1"), false],
])("%s: the place is read again: %s", (_, event, changes) => {
  expect(changesPlace({ ...event, sessionId: "s", turnId: "t", seq: 1 } as SessionEvent)).toBe(changes);
});

function result(data: string): EventBody {
  const metadata = { execution_time_ms: 1, data_size_bytes: 1, timestamp: 1 };
  return {
    type: "tool-result",
    callId: "c",
    toolName: "bash",
    display: "",
    result: { success: true, data, error_message: null, error_type: "none", metadata },
  };
}
