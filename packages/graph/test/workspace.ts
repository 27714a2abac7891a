/** A temporary folder with source files, and its index. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { type CodeGraph, type GraphOptions, openGraph } from "../src/code-graph.ts";
import type { SourceFiles } from "../src/source-files.ts";

export interface TestWorkspace extends AsyncDisposable {
  readonly root: string;
  /** The file of the index. */
  readonly index: string;
  write(path: string, text: string): void;
  remove(path: string): void;
  open(options?: Partial<GraphOptions>): CodeGraph;
}

export function openWorkspace(files: Readonly<Record<string, string>> = {}): TestWorkspace {
  const base = mkdtempSync(join(tmpdir(), "graph-"));
  const root = join(base, "work");
  const index = join(base, "state", "graph.sqlite");
  mkdirSync(root);
  const opened: CodeGraph[] = [];
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  return {
    root,
    index,
    write,
    remove: (path) => rmSync(join(root, path)),
    open(options = {}) {
      const graph = openGraph({ path: index, files: filesIn(root), ...options });
      opened.push(graph);
      return graph;
    },
    async [Symbol.asyncDispose]() {
      for (const graph of opened) await graph.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

/** Returns all files of a folder as the index gets them. */
export function filesIn(root: string): SourceFiles {
  const stateOf = (path: string) => {
    const stats = statSync(join(root, path), { throwIfNoEntry: false });
    return stats?.isFile() === true ? { size: stats.size, mtimeMs: stats.mtimeMs } : undefined;
  };
  return {
    async list() {
      const entries = readdirSync(root, { recursive: true, withFileTypes: true });
      const paths = entries.filter((entry) => entry.isFile());
      return { paths: paths.map((one) => relative(root, join(one.parentPath, one.name))), complete: true };
    },
    stateOf,
    async read(path) {
      const state = stateOf(path);
      if (state === undefined) return { kind: "absent" };
      return { kind: "text", text: await readFile(join(root, path), "utf8"), state };
    },
  };
}

/** Three small files of source code, and one file that is not. */
export const sources = {
  "src/area.ts": "export function areaOf(radius: number) {\n  return radius * 2;\n}\n",
  "src/use.ts": 'import { areaOf } from "./area.ts";\n\nexport const one = areaOf(1);\n',
  "lib/tool.py": "def area_of(radius):\n    return radius\n\nprint(area_of(1))\n",
  "notes.txt": "areaOf",
};

export const never = new AbortController().signal;
