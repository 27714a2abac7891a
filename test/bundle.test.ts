/** Checks the built files: small in memory, each with its own saved code, and complete for the sandbox. */
import { globSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { makePlace, program, run } from "./run-program.ts";

const lib = () => join(dirname(program()), "..", "lib");
const files = () => globSync(join(lib(), "*.cjs"));

test("every file is ASCII, which V8 keeps at one byte a character", () => {
  expect(files().length).toBeGreaterThan(20);
  expect(files().filter((file) => readFileSync(file).some((byte) => byte > 0x7f))).toEqual([]);
});

test("no two files share the name of their saved code", () => {
  const saved = files().filter((file) => statSync(file).size >= 16_384);
  const names = saved.map((file) => basename(file).replace(/-[\w-]{8}\.cjs$/, ""));
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test.each(["x64", "arm64"])("the helper of the sandbox for %s is there and can be run", (arch) => {
  expect(statSync(join(lib(), "vendor/seccomp", arch, "apply-seccomp")).mode & 0o111).toBe(0o111);
});

test("the licenses of what is bundled go with it", () => {
  const text = readFileSync(join(lib(), "..", "THIRD-PARTY.txt"), "utf8");
  for (const name of ["@anthropic-ai/sandbox-runtime", "node-forge", "marked", "web-tree-sitter"]) {
    expect(text).toMatch(new RegExp(`^${name} \\d`, "m"));
  }
  expect(readFileSync(join(lib(), "..", "web", "licenses.md"), "utf8")).toContain("react-dom");
});

/** Prints the packages of which a run has loaded a module. */
const listPackages = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  const names = new Set();
  registerHooks({
    load(url, context, next) {
      const name = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/.][^/]*)/.exec(url)?.[1];
      if (name !== undefined) names.add(name);
      return next(url, context);
    },
  });
  process.on("exit", () => process.stderr.write("packages: " + [...names].join(" ")));
`)}`;

test("a command in the sandbox loads the bundle and ripgrep: other packages would cost 12 MB and 0.15 s", async () => {
  const call = ["tool", "call", "bash", JSON.stringify({ command: "echo in" }), "--answer", "once"];
  const { code, stdout, stderr } = await run(call, {
    place: makePlace(),
    program: [process.execPath, "--import", listPackages, program()],
  });
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^in\n/) });
  expect(/^packages: (.*)$/m.exec(stderr)?.[1]).toBe("@vscode/ripgrep");
});
