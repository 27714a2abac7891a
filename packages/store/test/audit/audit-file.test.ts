import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { auditFiles, auditPath, openAuditFile } from "../../src/audit/audit-file.ts";
import { withFileLock } from "../../src/kept-file/file-lock.ts";
import { entry } from "./entry.ts";

const place = () => join(mkdtempSync(join(tmpdir(), "lh-audit-")), "audit", "ws.jsonl");
const textOf = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : "");
const namesIn = (path: string): string[] =>
  textOf(path)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line).call);
const allNames = (path: string) => auditFiles(path).flatMap(namesIn);

async function append(path: string, name: string): Promise<void> {
  const log = openAuditFile(path);
  await log.append(entry(name));
  await log.close();
}

test("a workspace has a log of its own, whatever its name", () => {
  const path = auditPath("/state", "/home/ann/my project");
  expect(path).toMatch(/^\/state\/audit\/my_project-[0-9a-f]{12}\.jsonl$/);
  expect(auditPath("/state", "/home/bob/my project")).not.toBe(path);
  expect(dirname(auditPath("/state", "/"))).toBe("/state/audit");
  expect(dirname(auditPath("/state", "/a/../.."))).toBe("/state/audit");
});

test.each(["", "src/main.ts", "Grüße, 🦊", "half a pair: \ud83e"])(
  "a log hashes %j as the engine does without one",
  async (text) => {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    expect(openAuditFile(place()).sha256?.(text)).toBe(Buffer.from(digest).toString("hex"));
  },
);

describe("a log", () => {
  test("is appended to, for its owner alone", async () => {
    const path = place();
    const log = openAuditFile(path);
    await Promise.all(["a", "b", "c"].map((name) => log.append(entry(name))));
    await log.close();
    expect(namesIn(path)).toEqual(["a", "b", "c"]);
    expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  test("that others could read is closed to them", async () => {
    const path = place();
    mkdirSync(dirname(path));
    writeFileSync(path, "");
    chmodSync(path, 0o644);
    await append(path, "a");
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("that was torn gets its line ended", async () => {
    const path = place();
    mkdirSync(dirname(path));
    writeFileSync(path, '{"type":"call","ti');
    await append(path, "a");
    expect(textOf(path)).toBe(`{"type":"call","ti\n${JSON.stringify(entry("a"))}\n`);
  });

  const wrong: readonly (readonly [string, (path: string) => void])[] = [
    ["a link", (path) => symlinkSync(`${path}.elsewhere`, path)],
    ["a folder", (path) => mkdirSync(path)],
    ["below a file", (path) => renameSync(dirname(path), `${dirname(path)}.old`)],
  ];
  test.each(wrong)("that is %s is refused with its path", async (what, make) => {
    const path = place();
    mkdirSync(dirname(path));
    make(path);
    if (what === "below a file") writeFileSync(dirname(path), "");
    const log = openAuditFile(path);
    await expect(log.append(entry("a"))).rejects.toMatchObject({
      name: "HarnessError",
      message: expect.stringContaining(`${path} cannot be written`),
    });
    expect(existsSync(`${path}.elsewhere`)).toBe(false);
    await log.close();
  });

  test("takes entries again when what was in its way is gone", async () => {
    const path = place();
    mkdirSync(path, { recursive: true });
    const log = openAuditFile(path);
    await expect(log.append(entry("a"))).rejects.toThrow();
    renameSync(path, `${path}.away`);
    await log.append(entry("b"));
    await log.close();
    expect(namesIn(path)).toEqual(["b"]);
  });

  test("that another process has put away is left for the new one", async () => {
    const path = place();
    const log = openAuditFile(path);
    await log.append(entry("a"));
    renameSync(path, `${path}.1`);
    await log.append(entry("b"));
    appendFileSync(path, `${JSON.stringify(entry("c"))}\n`);
    await log.append(entry("d"));
    await log.close();
    expect([namesIn(`${path}.1`), namesIn(path)]).toEqual([["a"], ["b", "c", "d"]]);
  });
});

describe("a full log", () => {
  test("is kept beside, and the oldest of them goes", async () => {
    const path = place();
    const size = Buffer.byteLength(`${JSON.stringify(entry("00"))}\n`);
    const log = openAuditFile(path, { fileLimit: 3 * size });
    for (let index = 0; index < 20; index += 1) await log.append(entry(String(index).padStart(2, "0")));
    await log.close();
    expect(auditFiles(path).map(namesIn)).toEqual([
      ["06", "07", "08"],
      ["09", "10", "11"],
      ["12", "13", "14"],
      ["15", "16", "17"],
      ["18", "19"],
    ]);
    for (const file of auditFiles(path)) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("that another process puts away, as an entry waits to do so, takes the entry", async () => {
    const path = place();
    const size = Buffer.byteLength(`${JSON.stringify(entry("a"))}\n`);
    const log = openAuditFile(path, { fileLimit: size });
    await log.append(entry("a"));
    const { appended } = await withFileLock(`${path}.lock`, async () => {
      const second = log.append(entry("b"));
      const claims = () => readdirSync(dirname(path)).filter((name) => /\.lock\.\d+-\w{8}$/.test(name));
      await vi.waitFor(() => expect(claims()).toHaveLength(1), 60_000);
      renameSync(path, `${path}.1`);
      return { appended: second };
    });
    await appended;
    await log.close();
    expect([namesIn(`${path}.1`), namesIn(path)]).toEqual([["a"], ["b"]]);
  });

  test("loses nothing to processes that write at once", async () => {
    const path = place();
    const script = join(import.meta.dirname, "append-entries.ts");
    const writers = ["a", "b", "c", "d"].map((name) => {
      const child = spawn(process.execPath, [script, path, name, "60", "12000"], { stdio: "inherit" });
      return once(child, "close");
    });
    expect((await Promise.all(writers)).map(([code]) => code)).toEqual([0, 0, 0, 0]);
    const expected = ["a", "b", "c", "d"].flatMap((name) =>
      Array.from({ length: 60 }, (_, index) => `${name}-${index}`),
    );
    expect(allNames(path).toSorted()).toEqual(expected.toSorted());
    expect(existsSync(`${path}.1`)).toBe(true);
  });
});
