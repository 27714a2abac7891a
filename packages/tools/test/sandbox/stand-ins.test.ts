import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { processMark } from "../../src/processes/process-mark.ts";
import { createGitPlaceholders } from "../../src/sandbox/git-placeholders.ts";
import { temporaryBase, temporaryPrefix } from "../../src/sandbox/sandbox-profile.ts";
import { createStandIns, sweepStandIns } from "../../src/sandbox/stand-ins.ts";

const dead = `${2 ** 22 + 1}-1`;

function place() {
  const root = mkdtempSync(join(tmpdir(), "lh-stand-ins-"));
  mkdirSync(join(root, "sandbox"));
  const file = (name: string, text: string, mode: number) => {
    writeFileSync(join(root, name), text);
    chmodSync(join(root, name), mode);
    return join(root, name);
  };
  return { root, file };
}

test("the leftovers of a killed process are removed, and nothing else", () => {
  const { root, file } = place();
  const stand = file(".npmrc", "", 0o444);
  const mine = file(".envrc", "", 0o644);
  const full = file(".mcp.json", "{}", 0o444);
  mkdirSync(join(root, "repo"));
  const common = file("commondir", ".\n", 0o444);
  const others = file("repo/commondir", "..\n", 0o444);
  symlinkSync("/etc/hosts", join(root, ".vscode"));
  mkdirSync(join(root, ".claude"));
  mkdirSync(join(root, ".idea/mine"), { recursive: true });
  const folders = [".vscode", ".claude", ".idea", "gone"].map((name) => join(root, name));
  const temporary = mkdtempSync(join(temporaryBase(), temporaryPrefix));
  writeFileSync(join(temporary, "x"), "x");
  const record = { temporary, paths: [stand, mine, full, common, others, ...folders] };
  writeFileSync(join(root, "sandbox", `${dead}.json`), JSON.stringify(record));
  sweepStandIns(root);
  expect(readdirSync(root).toSorted()).toEqual([
    ".envrc",
    ".idea",
    ".mcp.json",
    ".vscode",
    "repo",
    "sandbox",
  ]);
  expect(readdirSync(join(root, "repo"))).toEqual(["commondir"]);
  expect(readdirSync(join(root, "sandbox"))).toEqual([]);
  expect(existsSync(temporary)).toBe(false);
});

test("a folder that several commands hold stays until the last of them ends", () => {
  const { root } = place();
  const path = join(root, "commondir");
  const hold = createGitPlaceholders();
  const release = [hold([path]), hold([path])];
  release[0]?.();
  expect(readFileSync(path, "utf8")).toBe(".\n");
  release[1]?.();
  expect(existsSync(path)).toBe(false);
});

test("no other folder is treated as the folder of temporary files", () => {
  const { root } = place();
  const temporary = join(root, `${temporaryPrefix}mine`);
  mkdirSync(temporary);
  writeFileSync(join(root, "sandbox", `${dead}.json`), JSON.stringify({ temporary, paths: [] }));
  sweepStandIns(root);
  expect(existsSync(temporary)).toBe(true);
});

test("the records of a living process stay", () => {
  const { root, file } = place();
  const standIns = createStandIns(root, "");
  const held = standIns.hold([join(root, ".npmrc")]);
  const stand = file(".npmrc", "", 0o444);
  sweepStandIns(root);
  expect(existsSync(stand)).toBe(true);
  held.release();
  standIns.close();
  expect(readdirSync(join(root, "sandbox"))).toEqual([]);
});

test("each command knows all placeholders, also of other processes, and no file of the person", () => {
  const { root, file } = place();
  const [npmrc, envrc, mine, other] = [".npmrc", ".envrc", ".vimrc", ".exrc"].map((name) => join(root, name));
  file(".vimrc", "set nu", 0o444);
  file(".exrc", "", 0o444);
  const standIns = createStandIns(root, "");
  const recorded = () =>
    JSON.parse(readFileSync(join(root, "sandbox", `${processMark(process.pid)}.json`), "utf8")).paths;
  const one = standIns.hold([npmrc, envrc, mine, other].filter((path) => path !== undefined));
  expect(one.paths).toEqual([npmrc, envrc, other]);
  file(".npmrc", "", 0o444);
  const two = standIns.hold([npmrc, mine].filter((path) => path !== undefined));
  expect(two.paths).toEqual([npmrc, envrc]);
  expect(recorded()).toEqual([npmrc, envrc]);
  one.release();
  expect(recorded()).toEqual([npmrc]);
  two.release();
  expect(recorded()).toEqual([]);
});

test("a record counts as dead if its process id belongs to another process", () => {
  const { root, file } = place();
  const stand = file(".npmrc", "", 0o444);
  const paths = [stand];
  writeFileSync(join(root, "sandbox", `${process.pid}-1.json`), JSON.stringify({ temporary: "", paths }));
  sweepStandIns(root);
  expect(existsSync(stand)).toBe(false);
});

test.runIf(process.platform === "linux")("a pipe in place of a record is not waited for", () => {
  const { root } = place();
  execFileSync("mkfifo", [join(root, "sandbox", `${dead}.json`)]);
  sweepStandIns(root);
  expect(readdirSync(join(root, "sandbox"))).toEqual([]);
});

test("an unreadable record removes nothing", () => {
  const { root, file } = place();
  const stand = file(".npmrc", "", 0o444);
  writeFileSync(join(root, "sandbox", `${dead}.json`), `{"paths": "${stand}"`);
  sweepStandIns(root);
  expect(existsSync(stand)).toBe(true);
  sweepStandIns(join(root, "nowhere"));
});
