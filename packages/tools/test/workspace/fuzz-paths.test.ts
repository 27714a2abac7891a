import { statSync } from "node:fs";
import { resolve } from "node:path";
import { found, refused } from "@localharness/workspace/outcome";
import { openWorkspace } from "@localharness/workspace/paths/open-workspace";
import { expect, test } from "vitest";
import { fuzzPaths, type JudgedDoor } from "../../../../scripts/fuzz-paths/run.ts";

const no = () => refused("not_found", "not offered");

function lookedUp(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** A naive implementation that checks only the text of a path. */
async function textualDoor(root: string): Promise<JudgedDoor> {
  const locate: JudgedDoor["locate"] = (path) => {
    const absolute = resolve(root, path.replaceAll("\0", ""));
    const stats = lookedUp(absolute);
    return absolute.startsWith(root) && stats !== undefined ? found({ path: absolute, stats }) : no();
  };
  return { locate, openFile: no, openDirectory: no, openTarget: no, close: () => {} };
}

test.runIf(process.platform === "linux")(
  "no random path leads out, and every one that stays inside is let through",
  async () => {
    const counts = await fuzzPaths({ strings: 20_000, seed: 7, perTree: 2000 });
    expect(counts).toMatchObject({ strings: 20_000, escapes: 0, withheld: 0, examples: [] });
    expect(counts.inside).toBeGreaterThan(1500);
    expect(counts.refused).toBeGreaterThan(10_000);
  },
);

test("no random path leads out on systems without descriptor paths", async () => {
  const open = (root: string) => openWorkspace(root, { door: "real-path" });
  const counts = await fuzzPaths({ strings: 4000, seed: 8, perTree: 1000, open });
  expect(counts).toMatchObject({ escapes: 0, withheld: 0, examples: [] });
  expect(counts.inside).toBeGreaterThan(300);
});

test("the test detects an implementation that checks only the text", async () => {
  const counts = await fuzzPaths({ strings: 4000, seed: 9, perTree: 1000, open: textualDoor });
  expect(counts.escapes).toBeGreaterThan(10);
});
