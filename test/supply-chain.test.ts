/** Checks the dependencies: exact versions with hashes, and no install scripts. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { program, root } from "./run-program.ts";

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}

const locked = lockedIn(root);

function lockedIn(folder: string): [string, Locked][] {
  const lock: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(
    readFileSync(join(folder, "package-lock.json"), "utf8"),
  );
  return Object.entries(lock.packages).filter(
    ([path, entry]) => path.includes("node_modules/") && entry.link !== true,
  );
}

test("every dependency is locked with the hash of its contents, and runs nothing when it is installed", () => {
  expect(locked.length).toBeGreaterThan(50);
  const wrong = locked.filter(
    ([, { resolved = "https://", integrity = "", hasInstallScript }]) =>
      !resolved.startsWith("https://") || !integrity.startsWith("sha512-") || hasInstallScript === true,
  );
  expect(wrong.map(([path]) => path)).toEqual([]);
});

test.each([
  ["real-engine", ["node-llama-cpp"]],
  ["real-peers", ["@coo-quack/calc-mcp", "@modelcontextprotocol/inspector", "mcp-hello-world"]],
])(
  "what test/%s installs is no dependency, and is locked to exact versions with the hashes of their contents",
  (suite, names) => {
    const folder = join(root, "test", suite, "install");
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const exact = expect.stringMatching(/^\d+\.\d+\.\d+$/);
    expect(manifest.dependencies).toEqual(Object.fromEntries(names.map((name) => [name, exact])));
    const installed = lockedIn(folder);
    const wrong = installed.filter(
      ([, { resolved = "https://", integrity = "" }]) =>
        !resolved.startsWith("https://") || !integrity.startsWith("sha512-"),
    );
    expect(wrong.map(([path]) => path)).toEqual([]);
    const paths = names.map((name) => `node_modules/${name}`);
    expect(installed.map(([path]) => path)).toEqual(expect.arrayContaining(paths));
    expect(locked.filter(([path]) => paths.includes(path))).toEqual([]);
  },
);

test("dependencies of the packages are exact versions", () => {
  const loose = readdirSync(join(root, "packages")).flatMap((name) => {
    const manifest = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
    const versions = Object.entries<string>(manifest.dependencies ?? {});
    return versions
      .filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))
      .map(([other]) => `${name}: ${other}`);
  });
  expect(loose).toEqual([]);
});

test("the program holds what is built and nothing else, with no script", async () => {
  const folder = dirname(dirname(program()));
  const names = readdirSync(folder).sort();
  expect(names).toEqual([
    "LICENSE",
    "README.md",
    "THIRD-PARTY.txt",
    "bin",
    "demo-workspace",
    "grammars",
    "lib",
    "package.json",
    "shell-grammar",
    "web",
  ]);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  expect(manifest).not.toHaveProperty("scripts");
  expect(manifest.files.toSorted()).toEqual([
    "THIRD-PARTY.txt",
    "bin",
    "demo-workspace",
    "grammars",
    "lib",
    "shell-grammar",
    "web",
  ]);
  expect(Object.values<string>(manifest.dependencies).every((version) => /^\d/.test(version))).toBe(true);
});

test("no source makes code out of text, except for what loads the files of the program", () => {
  const sources = readdirSync(join(root, "packages"), { recursive: true, encoding: "utf8" }).filter((path) =>
    /^[\w-]+\/src\/.*\.ts$/.test(path),
  );
  expect(sources.length).toBeGreaterThan(300);
  const text = (path: string) => readFileSync(join(root, "packages", path), "utf8");
  expect(sources.filter((path) => /\beval\(|\bnew Function\(|node:vm"/.test(text(path)))).toEqual([
    "harness/src/start/bundle-loader.ts",
  ]);
});
