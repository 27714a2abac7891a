/** Checks the runner of chat templates: accepted, refused and lost messages end it with the right exit code. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type OwnTemplate, readTemplate } from "../packages/models/test/fake-server/index.ts";
import { differences } from "../scripts/corpus/templates/measured.ts";
import { root } from "./run-program.ts";

const folder = mkdtempSync(join(tmpdir(), "lh-templates-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function runTemplates(rows: readonly object[], args: readonly string[] = []) {
  writeFileSync(join(folder, "templates.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  writeFileSync(join(folder, "llama-server.jsonl"), "");
  const env = { ...process.env, LOCALHARNESS_TEMPLATES: folder };
  return new Promise<{ code: number; lines: readonly string[] }>((resolve) => {
    const command = [join(root, "scripts/corpus.ts"), "templates", ...args];
    execFile(process.execPath, command, { env }, (error, stdout) => {
      resolve({ code: Number(error?.code ?? 0), lines: stdout.trim().split("\n") });
    });
  });
}

const row = (name: string, template: string) => ({ name, snapshot: "2026-08", template });
const own = (name: OwnTemplate) => row(name, readTemplate(name));

test("a template that refuses everything ends the run with code 1 and its message", async () => {
  const { code, lines } = await runTemplates([own("throws"), row("odd", "{{ messages | nothing_known }}")]);
  expect(code).toBe(1);
  expect(lines.at(-1)).toMatch(/^templates: \d+ of 48 histories taken, [1-9]\d* refused, \d+ lost$/);
  expect(lines.join("\n")).toContain("This template refuses everything");
  expect(lines).toContain("templates that do not render here: 1 of 2");
});

test("a template that writes only the last user message loses everything else", async () => {
  const { code, lines } = await runTemplates([row("forgets", "{{ messages[-1].content }}")]);
  expect(code).toBe(1);
  expect(lines.join("\n")).toMatch(/lost .*person personalpha/);
});

test("without a template the run fails", async () => {
  const { code, lines } = await runTemplates([own("takes-all")], ["--family", "nobody"]);
  expect(code).toBe(1);
  expect(lines.at(-1)).toBe("templates: 0 of 0 histories taken, 0 refused, 0 lost");
});

test("differences between the scripted server and the measured one are named", () => {
  const template = { name: "t", snapshot: "2026-08" as const, template: readTemplate("nine-characters") };
  const measured = { name: "t", server: "2026-08" as const, refused: {} };
  const named = differences([template], [measured]);
  expect(named.some((line) => line.startsWith("t 2026-08 call: real taken; ours 400"))).toBe(true);
  expect(named.some((line) => line.startsWith("t 2026-08 call9"))).toBe(false);
});
