import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Outcome } from "../../src/outcome.ts";
import { openWorkspace } from "../../src/paths/open-workspace.ts";
import type { Workspace } from "../../src/paths/workspace.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const doors =
  process.platform === "linux" ? (["descriptor", "real-path"] as const) : (["real-path"] as const);

async function open(door: "descriptor" | "real-path") {
  const folder = temporaryFolder();
  const root = join(folder, "ws");
  const outside = join(folder, "outside");
  mkdirSync(join(root, "src"), { recursive: true });
  mkdirSync(join(outside, "sub"), { recursive: true });
  writeFileSync(join(outside, "secret.txt"), "OUTSIDE");
  writeFileSync(join(root, "src/a.txt"), "inside");
  const links = { in: "src", "in.txt": "src/a.txt", out: outside, "out.txt": join(outside, "secret.txt") };
  for (const [name, target] of Object.entries(links)) {
    symlinkSync(target, join(root, name));
  }
  symlinkSync(join(outside, "created.txt"), join(root, "dangling.txt"));
  symlinkSync(join(outside, "sub"), join(root, "deep"));
  symlinkSync("loop2", join(root, "loop1"));
  symlinkSync("loop1", join(root, "loop2"));
  symlinkSync("/proc/self/root", join(root, "proc-root"));
  symlinkSync("/dev/zero", join(root, "zero"));
  const workspace = await openWorkspace(root, { door });
  onTestFinished(() => workspace.close());
  return { workspace, root, outside, folder };
}

async function readVia(workspace: Workspace, path: string): Promise<string> {
  const opened = workspace.openFile(path);
  if (!opened.ok) return opened.errorType;
  using file = opened.value;
  return `${file.path}=${(await file.read(1000)).toString()}`;
}

function closed(outcome: Outcome<Disposable & { readonly path: string }>): string {
  if (!outcome.ok) return outcome.errorType;
  outcome.value[Symbol.dispose]();
  return outcome.value.path;
}

describe.each(doors)("the %s door", (door) => {
  test.each([
    ["src/a.txt", "src/a.txt=inside"],
    ["./src/../src/a.txt", "src/a.txt=inside"],
    ["in/a.txt", "src/a.txt=inside"],
    ["in.txt", "src/a.txt=inside"],
    ["out.txt", "validation_failed"],
    ["out/secret.txt", "validation_failed"],
    ["deep/../secret.txt", "validation_failed"],
    ["zero", "validation_failed"],
    ["proc-root/etc/passwd", "validation_failed"],
    ["dangling.txt", "not_found"],
    ["loop1/x", "validation_failed"],
    ["nothing.txt", "not_found"],
    ["src/a.txt/x", "io_error"],
    ["src", "io_error"],
    ["x".repeat(300), "validation_failed"],
  ])("reading %s gives %s", async (path, expected) => {
    const { workspace } = await open(door);
    expect(await readVia(workspace, path)).toBe(expected);
  });

  test.each([
    ["new.txt", "new.txt"],
    ["made/on/the/way.txt", "made/on/the/way.txt"],
    ["in/new.txt", "src/new.txt"],
    ["in.txt", "src/a.txt"],
    ["out.txt", "validation_failed"],
    ["out/new.txt", "validation_failed"],
    ["out/p/q/new.txt", "validation_failed"],
    ["dangling.txt", "validation_failed"],
    ["dangling.txt/x", "validation_failed"],
    ["src", "io_error"],
    ["src/a.txt/child", "io_error"],
    ["none/../x", "not_found"],
  ])("a target %s is %s", async (path, expected) => {
    const { workspace, outside } = await open(door);
    expect(closed(workspace.openTarget(path, { createFolders: true }))).toBe(expected);
    expect(existsSync(join(outside, "p"))).toBe(false);
    expect(existsSync(join(outside, "created.txt"))).toBe(false);
  });

  test.each([
    ["in.txt", "in.txt"],
    ["out.txt", "out.txt"],
    ["dangling.txt", "dangling.txt"],
    ["out/secret.txt", "validation_failed"],
    [".", "validation_failed"],
    ["src/..", "validation_failed"],
  ])("the entry %s itself is %s", async (path, expected) => {
    const { workspace } = await open(door);
    expect(closed(workspace.openEntry(path))).toBe(expected);
  });

  test.each([
    ["a/b/c", { ok: true, value: { path: "a/b/c", created: 3 } }],
    ["src", { ok: true, value: { path: "src", created: 0 } }],
    ["in/x", { ok: true, value: { path: "src/x", created: 1 } }],
    ["out/x", { ok: false, errorType: "validation_failed" }],
    ["dangling.txt", { ok: false, errorType: "validation_failed" }],
    ["src/a.txt", { ok: false, errorType: "io_error" }],
  ])("making the folder %s", async (path, expected) => {
    const { workspace, outside } = await open(door);
    expect(workspace.makeDirectory(path)).toMatchObject(expected);
    expect(existsSync(join(outside, "x"))).toBe(false);
  });

  test("a pipe gives an answer at once and blocks no thread", async () => {
    const { workspace, root } = await open(door);
    execFileSync("mkfifo", [join(root, "pipe")]);
    const answers = await Promise.all(Array.from({ length: 8 }, () => readVia(workspace, "pipe")));
    expect(answers).toEqual(Array.from({ length: 8 }, () => "validation_failed"));
    expect(await readVia(workspace, "src/a.txt")).toBe("src/a.txt=inside");
  });
});

test.runIf(process.platform === "linux")(
  "stays in the folder it opened when another takes its name",
  async () => {
    const { workspace, root, outside } = await open("descriptor");
    renameSync(root, `${root}.moved`);
    symlinkSync(outside, root);
    expect(await readVia(workspace, "secret.txt")).toBe("not_found");
    expect(await readVia(workspace, "src/a.txt")).toBe("src/a.txt=inside");
  },
);

test.runIf(process.platform === "linux")(
  "no read leaks while a file is exchanged for a link that leads out",
  async () => {
    const { workspace, root, outside, folder } = await open("descriptor");
    writeFileSync(join(root, "real.txt"), "inside");
    const flip = `cd "$1"; while [ ! -e "$2/stop" ]; do ln -sfn "$3/secret.txt" f; cp --remove-destination real.txt f; done`;
    const flipper = import("node:child_process").then(({ spawn }) =>
      spawn("sh", ["-c", flip, "sh", root, folder, outside]),
    );
    const child = await flipper;
    const seen = new Map<string, number>();
    for (let round = 0; round < 2000; round += 1) {
      const answer = await readVia(workspace, "f");
      seen.set(answer, (seen.get(answer) ?? 0) + 1);
    }
    writeFileSync(join(folder, "stop"), "");
    await new Promise((resolve) => child.once("exit", resolve));
    expect([...seen.keys()].filter((answer) => answer.includes("OUTSIDE"))).toEqual([]);
    expect(seen.get("validation_failed") ?? 0).toBeGreaterThan(0);
    expect(seen.get("f=inside") ?? 0).toBeGreaterThan(0);
  },
);

test("refuses a root that is not a folder", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "");
  await expect(openWorkspace(join(folder, "file"))).rejects.toMatchObject({ code: "ENOTDIR" });
  await expect(openWorkspace(join(folder, "none"))).rejects.toMatchObject({ code: "ENOENT" });
  expect(readFileSync(join(folder, "file"), "utf8")).toBe("");
});
