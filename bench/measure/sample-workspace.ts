/**
 * Creates the workspace of a run, a git repository with 40 source files of 2 KB, and names home folders for the programs.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bigCallPath, fileMark, readPath } from "../fake-model/scenario.ts";

const files = 40;
const fileBytes = 2048;

export interface SampleWorkspace {
  readonly path: string;
  /** Returns the path of a home folder outside the workspace. */
  home(name: string): string;
  /** Removes the file that a run wrote. */
  reset(): void;
  remove(): void;
}

export function makeSampleWorkspace(): SampleWorkspace {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "localharness-bench-")));
  const path = join(base, "workspace");
  mkdirSync(join(path, "src"), { recursive: true });
  for (let index = 0; index < files; index += 1)
    writeFileSync(join(path, readPath(index)), sourceText(index));
  writeFileSync(join(path, "package.json"), `{"name":"sample","version":"1.0.0","private":true}\n`);
  writeFileSync(join(path, "README.md"), "# sample\n");
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", path, "-c", "user.name=bench", "-c", "user.email=bench@localhost", ...args]);
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "start");
  return {
    path,
    home: (name) => join(base, `home-${name.replaceAll(/[^a-z0-9]+/gi, "-")}`),
    reset: () => rmSync(join(path, bigCallPath), { force: true }),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

function sourceText(index: number): string {
  let text = `${fileMark(index)}\n`;
  for (let line = 0; text.length < fileBytes; line += 1) {
    text += `export function add${index}x${line}(a: number, b: number): number { return a * ${line} + b; }\n`;
  }
  return text.slice(0, fileBytes - 1).concat("\n");
}
