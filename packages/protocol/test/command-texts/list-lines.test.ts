/** Checks what `/mcp`, `/jobs`, `/skills` and `/status` say. */
import { describe, expect, test } from "vitest";
import { jobLines, serverLines, skillLines, statusLines } from "../../src/command-texts/list-lines.ts";
import { changeJobs } from "../../src/command-texts/words-after.ts";

test("/mcp shows each server with its state, its tools, its problems and its last three log messages", async () => {
  const server = { name: "p", state: "runs", running: true, tools: ["p__a"], problems: ["left out"] };
  const host = { listServers: async () => [{ ...server, logs: ["1", "2", "3", "4"] }] };
  expect(await serverLines(host)).toEqual([
    "p  runs",
    "  tools: p__a",
    "  ! left out",
    "  log: 2",
    "  log: 3",
    "  log: 4",
  ]);
  expect(await serverLines({ listServers: async () => [] })).toEqual([
    expect.stringMatching(/^there are no/),
  ]);
});

describe("/jobs line by line", () => {
  const job = {
    id: "job-1",
    command: "npm run dev",
    state: "running",
    running: true,
    ageMs: 61_000,
    lastLine: "ready",
  };
  const ended: string[] = [];
  const host = {
    listJobs: async () => [job],
    endJob: async (id: string) => {
      ended.push(id);
    },
  };

  test("lists jobs with state, age, command and last line, and ends one", async () => {
    expect(await jobLines(host)).toEqual(["job-1  running, 1 min 1 s  npm run dev", "  ready"]);
    expect(await changeJobs(host, "end job-1")).toBe("job-1 has ended");
    expect(ended).toEqual(["job-1"]);
    for (const wrong of ["end", "stop job-1"]) {
      await expect(changeJobs(host, wrong)).rejects.toThrow("usage: /jobs, /jobs end ID");
    }
    expect(await jobLines({ listJobs: async () => [] })).toEqual(["no command runs in the background"]);
  });
});

test("/skills shows each skill with its folder and remarks, and problems; or where skills belong", () => {
  const skill = {
    name: "pdf",
    description: "reads",
    origin: "user",
    folder: "/s/pdf",
    remarks: ["odd"],
  } as const;
  expect(skillLines({ skills: [skill], problems: ["broken"] })).toEqual([
    "/pdf  reads  (/s/pdf; odd)",
    "! broken",
  ]);
  expect(skillLines({ skills: [], problems: [] })).toEqual([expect.stringMatching(/^there are no skills: /)]);
});

test("/status aligns the values, and counts the tokens in use", () => {
  const rows = [
    { name: "model", value: "m" },
    { name: "context", value: "window of 8" },
  ];
  expect(statusLines(rows, 5)).toEqual(["model    m", "context  5 tokens used, window of 8"]);
  expect(statusLines(rows)[1]).toBe("context  window of 8");
});
