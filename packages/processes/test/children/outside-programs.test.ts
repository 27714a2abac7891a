/** What runs outside of the sandbox is found, and finds its own programs, only where no command can write. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../workspace/test/temporary-folder.ts";
import { createPrograms } from "../../src/children/create-programs.ts";
import { outsidePrograms } from "../../src/children/outside-programs.ts";
import type { ProgramReach } from "../../src/children/programs.ts";

/** Creates folders `ws`, `open` and others, with programs as `one/git`, and links as `[name, target]`. */
function places(programs: readonly string[], links: readonly (readonly [string, string])[] = []) {
  const folder = temporaryFolder();
  for (const name of ["ws/bin", "open/bin", "one", "two"]) mkdirSync(join(folder, name), { recursive: true });
  for (const path of programs) {
    writeFileSync(join(folder, path), `#!/bin/sh\necho ${path}\n`, { mode: 0o755 });
  }
  for (const [name, target] of links) symlinkSync(join(folder, target), join(folder, name));
  const at = (name: string) => join(folder, name);
  const pathOf = (...names: readonly string[]) =>
    names.map((name) => (name === "" || name === "." ? name : at(name))).join(":");
  return { at, pathOf, folders: [at("ws"), at("open")] };
}

describe("a program is found", () => {
  test.each<[string, readonly string[], readonly string[], (readonly [string, string])[]]>([
    ["in the workspace", ["ws/bin"], ["ws/bin/git"], []],
    ["in a folder that settings open to commands", ["open/bin"], ["open/bin/git"], []],
    ["in the current folder", [".", ""], [], []],
    ["by a link to a program of the workspace", ["one"], ["ws/bin/git"], [["one/git", "ws/bin/git"]]],
    ["by a link of the workspace to a program outside", ["ws"], ["one/git"], [["ws/git", "one/git"]]],
    ["in a folder that is a link into the workspace", ["lib"], ["ws/bin/git"], [["lib", "ws/bin"]]],
    ["in a folder that a link of the workspace leads to", ["ws/lib"], ["one/git"], [["ws/lib", "one"]]],
    [
      "by a link that leads through the workspace",
      ["lib"],
      ["one/git"],
      [
        ["ws/out", "one"],
        ["lib", "ws/out"],
      ],
    ],
  ])("not %s", (_, before, programs, links) => {
    const { pathOf, at, folders } = places([...programs, "two/git"], links);
    const found = outsidePrograms(pathOf(...before, "two"), folders);
    expect(found.find("git")).toBe(at("two/git"));
    expect(outsidePrograms(pathOf(...before), folders).find("git")).toBeUndefined();
  });

  test("not by a relative path, and by an absolute path only outside", () => {
    const { at, folders } = places(["ws/bin/git", "one/git"], [["link", "ws"]]);
    const { find } = outsidePrograms("", folders);
    const tried = [at("one/git"), at("ws/bin/git"), at("link/bin/git"), at("one/../ws/bin/git"), at("one")];
    expect(tried.map(find)).toEqual([at("one/git"), undefined, undefined, undefined, undefined]);
    expect(["./git", "bin/git", "../one/git"].map(find)).toEqual([undefined, undefined, undefined]);
  });

  test("once: a program that is put before it later does not replace it", () => {
    const { pathOf, at, folders } = places(["two/git"]);
    const { find } = outsidePrograms(pathOf("one", "two"), folders);
    expect(find("git")).toBe(at("two/git"));
    writeFileSync(at("one/git"), "#!/bin/sh\n", { mode: 0o755 });
    expect(find("git")).toBe(at("two/git"));
  });

  test("anywhere if the workspace is the whole disk, and by many links not at all", () => {
    const { pathOf, at, folders } = places(["ws/bin/git"]);
    expect(outsidePrograms(pathOf("ws/bin"), ["/"]).find("git")).toBe(at("ws/bin/git"));
    rmSync(at("one"), { recursive: true });
    symlinkSync(at("one"), at("one"));
    expect(outsidePrograms(pathOf("one"), folders).find("git")).toBeUndefined();
  });
});

test("variables lead to no code in the folders", () => {
  const { at, pathOf, folders } = places([], [["link", "ws"]]);
  const { environment } = outsidePrograms("", folders);
  const of = (source: Record<string, string>) => environment(source, "outside");
  expect(
    of({
      PATH: pathOf("ws/bin", "one", ".", "link/bin"),
      PYTHONPATH: pathOf("", "ws"),
      LD_LIBRARY_PATH: pathOf("open/bin", "two"),
      VIRTUAL_ENV: at("ws/venv"),
      BROWSER: "./browser",
      CC: "gcc",
      JAVA_HOME: at("one"),
      HOME: at("ws"),
    }),
  ).toEqual({
    PATH: at("one"),
    LD_LIBRARY_PATH: at("two"),
    CC: "gcc",
    JAVA_HOME: at("one"),
    HOME: at("ws"),
  });
  expect(of({ PATH: pathOf("ws") })).toEqual({ PATH: "/usr/local/bin:/usr/bin:/bin" });
  const confined = {
    PATH: pathOf("ws", "one"),
    LD_LIBRARY_PATH: pathOf("ws", "one"),
    LD_PRELOAD: at("ws/a.so"),
  };
  expect(environment(confined, "sandbox")).toEqual({ PATH: pathOf("ws", "one"), LD_LIBRARY_PATH: at("one") });
});

test.each<[string, ProgramReach, string]>([
  ["a program that the harness starts", "outside", "two/tool\n"],
  ["a command in the sandbox", "sandbox", "ws/bin/tool\n"],
  ["a command that was asked about", "whole", "ws/bin/tool\n"],
])("%s finds the programs that it starts in its own PATH", async (_, reach, expected) => {
  const { pathOf, folders } = places(["ws/bin/tool", "two/tool"]);
  const programs = createPrograms({
    environment: { PATH: `${pathOf("ws/bin", "two")}:/usr/bin:/bin` },
    pass: [],
    folders: () => folders,
  });
  let output = "";
  await programs.run({
    program: "sh",
    args: ["-c", "tool"],
    cwd: "/",
    reach,
    timeoutMs: 10_000,
    signal: new AbortController().signal,
    onOutput: (chunk) => (output += String(chunk)),
  });
  programs.close();
  expect(output).toBe(expected);
});
