/** Commands print values of secrets in many ways, and the output has none of them unless the person was asked. */
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { ToolOutput } from "@localharness/engine";
import { expect, test } from "vitest";
import { type Bench, openBench, said } from "../bench.ts";

const key = "k3y-0123456789abcdef";

async function openSecretBench(): Promise<Bench> {
  const bench = await openBench();
  bench.write(".env", `API_KEY=${key}\nPORT=3000\nNODE_ENV=development\n`);
  mkdirSync(join(bench.root, "app"));
  bench.write("app/.env.local", `DB_PASSWORD="p4ss word 123"\n`);
  bench.write(".env.example", "API_KEY=your-api-key-1234567890\n");
  bench.write("a.txt", "plain\n");
  return bench;
}

/** Returns a command that reads the file without naming it. */
const print = (path: string) =>
  `'${process.execPath}' -e 'process.stdout.write(require("fs").readFileSync("${path.replace(".env", '.e"+"nv')}","utf8"))'`;

/** Makes a call that the person has allowed: the tool gets the facts about it. */
async function allowed(bench: Bench, tool: string, args: { command: string } | { path: string }) {
  return bench.call(tool, args, { examined: await bench.examine(tool, args) });
}

const notesOf = (output: ToolOutput) => output.notes ?? [];

test.each([
  print(".env"),
  print("./app/../.env"),
  "tar cf - . | cat -v",
  "f=.en; cat $f$(echo v)",
  "cat *.txt .e?v >&2",
  "grep -r . . --include='.env'",
  print("link"),
])("%s", async (command) => {
  const bench = await openSecretBench();
  symlinkSync(".env", join(bench.root, "link"));
  const output = await bench.call("bash", { command });
  expect(said(output)).toContain("[value of API_KEY in .env: hidden]");
  expect(said(output)).not.toContain(key);
  expect(notesOf(output).join()).toMatch(/values? of secrets in .*\.env.* hidden .* read_file/);
});

test("ordinary values, templates and packages are not hidden", async () => {
  const bench = await openSecretBench();
  mkdirSync(join(bench.root, "node_modules/x"), { recursive: true });
  bench.write("node_modules/x/.env", "API_KEY=abcdef-0123456789\n");
  const output = await bench.call("bash", {
    command: "echo development your-api-key-1234567890 abcdef-0123456789",
  });
  expect(said(output)).toBe("development your-api-key-1234567890 abcdef-0123456789\nexit code: 0");
  expect(notesOf(output)).toEqual([]);
});

test("errors, progress and the file with a long output hide values too", async () => {
  const bench = await openSecretBench();
  const output = said(
    await bench.call("bash", {
      command: `i=0; while [ $i -lt 2000 ]; do echo line ${key}; i=$((i+1)); done; exit 3`,
    }),
  );
  const path = /is in (\S+): read_file/.exec(output)?.[1] ?? "";
  expect(output).toContain("exit code: 3");
  expect(readFileSync(path, "utf8")).not.toContain(key);
  expect(bench.reports.join()).not.toContain(key);
});

test("a job hides values, also in its last line", async () => {
  const bench = await openSecretBench();
  await bench.call("bash", { command: `${print(".env")}; ${print("app/.env.local")}`, background: true });
  let text = "";
  while (!text.includes("has ended")) {
    const output = await bench.call("read_output", { job: "job-1", wait: 60 });
    text += said(output) + notesOf(output).join();
  }
  expect(text).toContain('DB_PASSWORD="[value of DB_PASSWORD in app/.env.local: hidden]"');
  expect(text).toMatch(/secrets in \.env.* hidden/);
  expect(text + bench.resources.jobs.list()[0]?.lastLine).not.toContain(key);
});

test("a value is shown to a command that asked about its file, and after the person allowed a read of the file", async () => {
  const bench = await openSecretBench();
  const both = `cat .env; ${print("app/.env.local")}`;
  expect(said(await allowed(bench, "bash", { command: both }))).toMatch(
    /k3y-0123456789abcdef[\s\S]*value of DB_PASSWORD/,
  );
  expect(said(await bench.call("bash", { command: print(".env") }))).toContain(key);
  expect(said(await bench.call("bash", { command: print("app/.env.local") }))).toContain(
    "value of DB_PASSWORD",
  );
  await allowed(bench, "read_file", { path: "app/.env.local" });
  expect(said(await bench.call("bash", { command: print("app/.env.local") }))).toContain("p4ss word 123");
});

test("mode bypass hides nothing", async () => {
  const bench = await openSecretBench();
  const command = print(".env");
  expect(said(await bench.call("bash", { command }, { mode: "bypass" }))).toContain(key);
});

test("a value that changes is hidden from the next command on", async () => {
  const bench = await openSecretBench();
  await bench.call("bash", { command: "true" });
  bench.write(".env", "API_KEY=another-value-987654\n");
  expect(said(await bench.call("bash", { command: print(".env") }))).toContain(
    "API_KEY=[value of API_KEY in .env: hidden]",
  );
});

test("passwords of .git/config are hidden in every command, also in a look, and nothing offers them", async () => {
  const bench = await openBench();
  const password = "s3cr3t-Word-0815";
  mkdirSync(join(bench.root, ".git"));
  bench.write(".git/config", `[remote "o"]\n\turl = https://me:${password}@git.example/me/x.git\n`);
  for (const command of ["cat .git/config", "cat .g?t/config | cut -d: -f3", "grep -r me .git"]) {
    const output = await allowed(bench, "bash", { command });
    expect(said(output)).toContain("[value of a password in .git/config: hidden]");
    expect(said(output)).not.toContain(password);
    expect(notesOf(output).join()).not.toContain("read_file");
  }
  const other = await allowed(bench, "bash", { command: "echo git.example/me/x.git" });
  expect(said(other)).toContain("git.example/me/x.git\n");
});
