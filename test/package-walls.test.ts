/** Checks that the linter refuses a wrong import in each package: planted imports, read with the project's own rules. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "./run-program.ts";

const packages = readdirSync(join(root, "packages"));

/** The ways to name a module, each on one line. */
const forms: readonly ((path: string) => string)[] = [
  (path) => `import { value } from "${path}";`,
  (path) => `import type { Value } from "${path}";`,
  (path) => `export { value } from "${path}";`,
  (path) => `export * from "${path}";`,
  (path) => `export const loaded = await import("${path}");`,
  (path) => `export type Loaded = typeof import("${path}");`,
];

interface Line {
  readonly text: string;
  readonly wrong: boolean;
}

/** The planted files, by their path. */
const planted: ReadonlyMap<string, readonly Line[]> = new Map(packages.flatMap(filesOf));

function filesOf(name: string): [string, Line[]][] {
  const others = packages.filter((other) => other !== name);
  const reaching = (path: (other: string) => string) =>
    others.flatMap((other) => inEveryForm(path(other), true));
  return [
    [`packages/${name}/src/reach.ts`, reaching((other) => `../../${other}/src/index.ts`)],
    [`packages/${name}/src/own/reach.ts`, reaching((other) => `../../../${other}/src/own/file.ts`)],
    [`packages/${name}/src/own/reach-tests.ts`, reaching((other) => `../../../${other}/test/cases.ts`)],
    [`packages/${name}/src/own/reach-own-tests.ts`, inEveryForm("../../test/cases.ts", true)],
    [`packages/${name}/src/own/stay.ts`, inEveryForm("../other/file.ts", false)],
    [`packages/${name}/src/names.ts`, siblingNames(name)],
    [
      `packages/${name}/test/own/reach.test.ts`,
      reaching((other) => `../../../${other}/src/index.ts`).filter(({ text }) => !text.includes("typeof")),
    ],
    [`packages/${name}/test/own/stay.test.ts`, inEveryForm("../../src/own/file.ts", false)],
  ];
}

function inEveryForm(path: string, wrong: boolean): Line[] {
  return forms.map((form) => ({ text: form(path), wrong }));
}

/** Returns an import of each sibling by its name: those that the package's manifest does not declare are wrong. */
function siblingNames(name: string): Line[] {
  const own = manifestOf(name);
  const siblings = packages.map((other) => manifestOf(other).name).filter((other) => other !== own.name);
  return siblings.map((other) => ({
    text: `import { value } from "${other}";`,
    wrong: !(other in (own.dependencies ?? {})),
  }));
}

function manifestOf(name: string): { name: string; dependencies?: Record<string, string> } {
  return JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
}

const folder = mkdtempSync(join(tmpdir(), "walls-"));
let refused: ReadonlySet<string>;

beforeAll(async () => {
  const manifests = packages.map((name) => `packages/${name}/package.json`);
  for (const kept of ["biome.json", "package.json", "scripts/lint", ...manifests]) {
    cpSync(join(root, kept), join(folder, kept), { recursive: true });
  }
  for (const [file, lines] of planted) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `${lines.map(({ text }) => text).join("\n")}\n`);
  }
  refused = await lint();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns `FILE:LINE` for each import that the linter refuses. */
async function lint(): Promise<Set<string>> {
  const biome = join(root, "node_modules", "@biomejs", "biome", "bin", "biome");
  const options = ["lint", "--vcs-enabled=false", "--reporter=github", "--max-diagnostics=none", "packages"];
  const told = await promisify(execFile)(process.execPath, [biome, ...options], {
    cwd: folder,
    maxBuffer: 64_000_000,
  }).then(
    () => "",
    (error: { stdout: string }) => error.stdout,
  );
  const errors = told.matchAll(
    /^::error title=(?:lint\/\w+\/(?:noRestrictedImports|noUndeclaredDependencies)|plugin),file=(?:.*\/)?(packages\/[^,]*),line=(\d+)/gm,
  );
  return new Set(Array.from(errors, ([, file, line]) => `${file}:${line}`));
}

test.each(packages)(
  "%s imports no path into another package, no tests, and no package that it does not declare",
  (name) => {
    const rows = [...planted].filter(([file]) => file.startsWith(`packages/${name}/`));
    const judged = rows.flatMap(([file, lines]) =>
      lines.map(
        ({ text }, index) => `${refused.has(`${file}:${index + 1}`) ? "refused" : "taken"} ${file} ${text}`,
      ),
    );
    const expected = rows.flatMap(([file, lines]) =>
      lines.map(({ text, wrong }) => `${wrong ? "refused" : "taken"} ${file} ${text}`),
    );
    expect(judged).toEqual(expected);
  },
);
