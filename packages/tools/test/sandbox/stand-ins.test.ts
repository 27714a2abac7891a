import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { recordStandIns, sweepStandIns } from "../../src/sandbox/stand-ins.ts";

const deadPid = 2 ** 22 + 1;

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

test("what a killed process left is taken away, and nothing else", () => {
  const { root, file } = place();
  const stand = file(".npmrc", "", 0o444);
  const mine = file(".envrc", "", 0o644);
  const full = file(".mcp.json", "{}", 0o444);
  symlinkSync("/etc/hosts", join(root, ".vscode"));
  const paths = [stand, mine, full, join(root, ".vscode"), join(root, "gone")];
  writeFileSync(join(root, "sandbox", `${deadPid}.json`), JSON.stringify({ pid: deadPid, paths }));
  sweepStandIns(root);
  expect(readdirSync(root).toSorted()).toEqual([".envrc", ".mcp.json", ".vscode", "sandbox"]);
  expect(readdirSync(join(root, "sandbox"))).toEqual([]);
});

test("what a living process has put on record stays", () => {
  const { root, file } = place();
  const stand = file(".npmrc", "", 0o444);
  const forget = recordStandIns(root, [stand]);
  sweepStandIns(root);
  expect(existsSync(stand)).toBe(true);
  forget();
  expect(readdirSync(join(root, "sandbox"))).toEqual([]);
});

test("a record that cannot be read takes nothing away", () => {
  const { root, file } = place();
  const stand = file(".npmrc", "", 0o444);
  writeFileSync(join(root, "sandbox", "1.json"), `{"pid": ${deadPid}, "paths": "${stand}"`);
  sweepStandIns(root);
  expect(existsSync(stand)).toBe(true);
  sweepStandIns(join(root, "nowhere"));
});
