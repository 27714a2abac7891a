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
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createHolder } from "../../src/sandbox/holders.ts";
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

test("a placeholder stays until the last command ends, of one sandbox and of several", async () => {
  const { root } = place();
  const path = join(root, "commondir");
  const sandboxes = [createStandIns(root, ""), createStandIns(root, "")];
  const held = await Promise.all([...sandboxes, ...sandboxes].map((one) => one.hold([path])));
  for (const { release } of held) {
    expect(readFileSync(path, "utf8")).toBe(".\n");
    release();
  }
  expect(existsSync(path)).toBe(false);
});

test("a command waits until another process has removed the placeholders that it needs", async () => {
  const { root } = place();
  const path = join(root, "commondir");
  const other = createHolder(root);
  const record = { temporary: "", paths: [], wanted: [], leaving: [path] };
  other.write(record);
  let isHeld = false;
  const held = createStandIns(root, "")
    .hold([path])
    .then((one) => {
      isHeld = true;
      return one;
    });
  for (let turns = 0; turns < 5; turns += 1) await setImmediate();
  expect(isHeld || existsSync(path)).toBe(false);
  other.write({ ...record, leaving: [] });
  expect((await held).paths).toEqual([path]);
});

test("the leftovers of a killed process stay while another process needs them", async () => {
  const { root, file } = place();
  const stand = file("commondir", ".\n", 0o444);
  writeFileSync(join(root, "sandbox", `${dead}.json`), JSON.stringify({ temporary: "", paths: [stand] }));
  const held = await createStandIns(root, "").hold([stand]);
  sweepStandIns(root);
  expect(existsSync(stand)).toBe(true);
  held.release();
  expect(existsSync(stand)).toBe(false);
});

test("no other folder is treated as the folder of temporary files", () => {
  const { root } = place();
  const temporary = join(root, `${temporaryPrefix}mine`);
  mkdirSync(temporary);
  writeFileSync(join(root, "sandbox", `${dead}.json`), JSON.stringify({ temporary, paths: [] }));
  sweepStandIns(root);
  expect(existsSync(temporary)).toBe(true);
});

test("the records of a living process stay", async () => {
  const { root, file } = place();
  const standIns = createStandIns(root, "");
  const stand = join(root, ".npmrc");
  const held = await standIns.hold([stand]);
  if (!existsSync(stand)) file(".npmrc", "", 0o444);
  sweepStandIns(root);
  expect(existsSync(stand)).toBe(true);
  held.release();
  standIns.close();
  expect(readdirSync(join(root, "sandbox"))).toEqual([]);
});

test("each command knows its placeholders, also those of other processes, and no file of the person is removed", async () => {
  const { root, file } = place();
  const [npmrc = "", envrc = "", mine = "", other = ""] = [".npmrc", ".envrc", ".vimrc", ".exrc"].map(
    (name) => join(root, name),
  );
  file(".vimrc", "set nu", 0o444);
  file(".exrc", "", 0o444);
  const standIns = createStandIns(root, "");
  const recorded = () => {
    const [name = ""] = readdirSync(join(root, "sandbox"));
    return JSON.parse(readFileSync(join(root, "sandbox", name), "utf8")).paths;
  };
  const one = await standIns.hold([npmrc, envrc, mine, other]);
  expect(one.paths).toEqual([npmrc, envrc, other]);
  const two = await standIns.hold([npmrc, mine]);
  expect(two.paths).toEqual([npmrc]);
  expect(recorded()).toEqual(expect.arrayContaining([npmrc, envrc]));
  expect(recorded()).not.toContain(other);
  one.release();
  expect(recorded()).toEqual([npmrc]);
  two.release();
  expect(recorded()).toEqual([]);
  expect(readdirSync(root).toSorted()).toEqual([".exrc", ".vimrc", "sandbox"]);
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

test("a path below a file hinders no command", async () => {
  const { root, file } = place();
  const notes = file("notes", "x", 0o644);
  const below = [".npmrc", "deep/.npmrc", "commondir"].map((name) => join(notes, name));
  const held = await createStandIns(root, "").hold(below);
  expect(() => held.release()).not.toThrow();
});

test.skipIf(process.platform !== "linux")("a failure leaves no placeholder", async () => {
  const { root } = place();
  const standIns = createStandIns(root, "");
  const path = join(root, "commondir");
  // No file can be created there.
  await expect(standIns.hold([path, "/proc/commondir"])).rejects.toThrow(/ENOENT/);
  expect(existsSync(path)).toBe(false);
  const held = await standIns.hold([path]);
  expect(existsSync(path)).toBe(true);
  held.release();
  expect(existsSync(path)).toBe(false);
});

test("a record that cannot be removed stays, and the others go", () => {
  const { root } = place();
  const records = join(root, "sandbox");
  mkdirSync(join(records, `${dead}-1.json`));
  writeFileSync(join(records, `${dead}-2.json`), JSON.stringify({ temporary: "", paths: [] }));
  sweepStandIns(root);
  expect(readdirSync(records)).toEqual([`${dead}-1.json`]);
});
