/** A change after which undo could not restore the old content asks in every mode but `bypass`. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { decide } from "@localharness/engine";
import type { JsonObject, PermissionMode } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { type Bench, openBench } from "../bench.ts";

const changeLimits = { fileBytes: 100, turnBytes: 150, turnEntries: 6, totalBytes: 10_000 };
const secrets = ["key-of-a-service"];

async function prepared(more: Partial<typeof changeLimits> = {}): Promise<Bench> {
  const bench = await openBench({ changeLimits: { ...changeLimits, ...more }, secrets });
  bench.write("a.txt", "x\n");
  bench.write("b.txt", "x".repeat(90));
  bench.write("large.txt", "x".repeat(101));
  bench.write("keys.txt", "the key-of-a-service\n");
  bench.write(".env", "KEY=1\n");
  symlinkSync(".env", join(bench.root, "plain"));
  bench.write("few/a.txt", "x\n");
  bench.write("secret/deep/.env.local", "KEY=1\n");
  for (const name of "abcdefg") bench.write(`many/${name}`, "x\n");
  for (const name of "ab") bench.write(`heavy/${name}`, "x".repeat(90));
  return bench;
}

const write = (path: string) => ["write_file", { path, content: "new\n" }] as const;
const remove = (path: string) => ["remove", { path, recursive: true }] as const;

const lost = /^undo would not keep the old content of /;

async function reasonOf(bench: Bench, name: string, args: JsonObject): Promise<string | undefined> {
  return (await bench.examine(name, args)).concerns?.find(({ id }) => id === "lost")?.reason;
}

describe("asks about", () => {
  test.each<readonly [string, JsonObject, RegExp]>([
    [...write(".env"), /"\.env": files of that name usually hold secrets$/],
    [...write("plain"), /"\.env": files of that name/],
    [...write("large.txt"), /"large\.txt": it has more than 100 bytes$/],
    [...write("keys.txt"), /one of your keys is in it$/],
    ["edit_file", { path: ".env", old_string: "1", new_string: "2" }, /"\.env"/],
    ["replace_lines", { path: ".env", line_start: 1, line_end: 1, new_content: "K" }, /"\.env"/],
    ["insert_lines", { path: "large.txt", line_start: 1, new_content: "K" }, /"large\.txt"/],
    ["remove", { path: ".env" }, /"\.env"/],
    [...remove("secret"), /"secret\/deep\/\.env\.local"/],
    [...remove("many"), /"many": more than 6 more files and folders/],
    [...remove("heavy"), /more would be replaced in this turn than undo keeps/],
  ])("%s %j", async (name, args, said) => {
    const reason = await reasonOf(await prepared(), name, args);
    expect(reason).toMatch(lost);
    expect(reason).toMatch(said);
  });
});

test.each<readonly [string, JsonObject]>([
  write("a.txt"),
  write("new.txt"),
  write("new/.env"),
  ["edit_file", { path: "a.txt", old_string: "x", new_string: "y" }],
  ["remove", { path: "a.txt" }],
  ["remove", { path: "plain" }],
  remove("few"),
])("does not ask about %s %j", async (name, args) => {
  expect(await reasonOf(await prepared(), name, args)).toBeUndefined();
});

test("counts what the turn has replaced", async () => {
  const bench = await prepared();
  expect(await reasonOf(bench, ...write("b.txt"))).toBeUndefined();
  await bench.call(...write("b.txt"), { turn: { sessionId: "s", turnId: "t" } });
  bench.write("b.txt", "x".repeat(90));
  expect(await reasonOf(bench, ...write("b.txt"))).toMatch(/more would be replaced in this turn/);
});

test("does not ask if the person has switched undo off", async () => {
  expect(await reasonOf(await prepared({ totalBytes: 0 }), ...write(".env"))).toBeUndefined();
});

test.each<readonly [PermissionMode, string]>([
  ["default", "ask built-in:lost"],
  ["accept-edits", "ask built-in:lost"],
  ["auto", "ask built-in:lost"],
  ["bypass", "allow mode:bypass"],
])("mode %s: %s", async (mode, expected) => {
  const bench = await prepared();
  const [tool, args] = write("large.txt");
  const facts = await bench.examine(tool, args);
  const asked = {
    tool,
    arguments: args,
    scope: "",
    risk: "high",
    readOnly: false,
    editsFiles: true,
  } as const;
  const { decision, rule } = decide({ ...asked, mode, workspace: bench.root, facts }, []);
  expect(`${decision} ${rule}`).toBe(expected);
});
