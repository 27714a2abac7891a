/** Checks which path ranks first for typed text. */
import { describe, expect, test } from "vitest";
import { createPathTable, rankPaths, scorePath } from "../../src/host/rank-paths.ts";

const now = () => Promise.resolve();

async function rank(paths: readonly string[], typed: string, limit = 10): Promise<readonly string[]> {
  const table = await createPathTable(paths, now);
  const ranking = await rankPaths(table, typed, limit, undefined, now, () => false);
  return (ranking?.best ?? []).map((index) => paths[index] ?? "");
}

const tree = [
  "README.md",
  "docs/",
  "docs/sessions.md",
  "packages/cli/src/main.ts",
  "packages/harness/src/host/rank-paths.ts",
  "packages/harness/test/host/rank-paths.test.ts",
  "packages/engine/src/session.ts",
  "packages/engine/src/session-options.ts",
  "src/domain/remain.ts",
];

describe("rankPaths", () => {
  const cases: readonly (readonly [typed: string, first: string])[] = [
    ["main.ts", "packages/cli/src/main.ts"],
    ["main", "packages/cli/src/main.ts"],
    ["session", "packages/engine/src/session.ts"],
    ["rp", "packages/harness/src/host/rank-paths.ts"],
    ["engsess", "packages/engine/src/session.ts"],
    ["READ", "README.md"],
    ["docs/", "docs/"],
    ["host/rank", "packages/harness/src/host/rank-paths.ts"],
  ];
  test.each(cases)("%s means %s first", async (typed, first) => {
    expect((await rank(tree, typed))[0]).toBe(first);
  });

  test("gives what lies at the top when nothing is typed", async () => {
    expect(await rank(tree, "", 2)).toEqual(["docs/", "README.md"]);
  });

  test("leaves out what does not have the letters in this order", async () => {
    expect(await rank(tree, "zzz")).toEqual([]);
    expect(scorePath("abc", "ca")).toBeUndefined();
  });

  test("gives no more than were asked for, the best of all", async () => {
    const many = Array.from({ length: 3_000 }, (_, index) => `folder/deep/file-${index}.txt`);
    expect(await rank([...many, "file-1"], "file-1", 3)).toEqual([
      "file-1",
      "folder/deep/file-1.txt",
      "folder/deep/file-10.txt",
    ]);
  });

  test("goes on among what matched before, and stops when somebody typed further", async () => {
    const table = await createPathTable(tree, now);
    const first = await rankPaths(table, "s", 10, undefined, now, () => false);
    const narrowed = await rankPaths(table, "sess", 10, first?.matching, now, () => false);
    const whole = await rankPaths(table, "sess", 10, undefined, now, () => false);
    expect(narrowed).toEqual(whole);
  });

  test("rests between slices, so that keys are taken meanwhile", async () => {
    const paths = Array.from(
      { length: 200_000 },
      (_, index) => `packages/part-${index % 97}/src/file-${index}.ts`,
    );
    let rests = 0;
    const rest = () => {
      rests += 1;
      return new Promise<void>((resolve) => setImmediate(resolve));
    };
    const table = await createPathTable(paths, rest);
    await rankPaths(table, "pfile", 20, undefined, rest, () => false);
    expect(rests).toBeGreaterThan(1);
    const stopped = await rankPaths(table, "pfile", 20, undefined, rest, () => true);
    expect(stopped).toBeUndefined();
  });
});
