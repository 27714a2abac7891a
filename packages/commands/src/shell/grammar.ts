/** Loads the grammar of bash before the first command is read. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Parser, Tree } from "web-tree-sitter";

export type Grammar =
  | { readonly ok: true; parse(text: string): Tree | undefined }
  /** `problem` is the reason why the grammar could not be loaded. */
  | { readonly ok: false; readonly problem: string };

export interface GrammarFiles {
  readonly runtime: string;
  readonly bash: string;
}

const maxParseMs = 250;

let loading: Promise<Grammar> | undefined;

/** Resolves to the grammar, which is loaded only once unless `files` are given. Never rejects. */
export function loadGrammar(files?: GrammarFiles): Promise<Grammar> {
  if (files !== undefined) return load(files);
  loading ??= load();
  return loading;
}

async function load(given?: GrammarFiles): Promise<Grammar> {
  try {
    const files = given ?? grammarFiles();
    const { Language, Parser: LoadedParser } = await import("web-tree-sitter");
    const { setFlagsFromString } = await import("node:v8");
    // The optimising compiler needs more than 350 MB for this grammar; the plain compiler is fast enough.
    setFlagsFromString("--no-wasm-tier-up");
    setFlagsFromString("--no-wasm-dynamic-tiering");
    const grammar = readFileSync(files.bash);
    await LoadedParser.init({ wasmBinary: readFileSync(files.runtime) });
    const parser = new LoadedParser();
    parser.setLanguage(await Language.load(grammar));
    return { ok: true, parse: (text) => parseWithin(parser, text) };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns the tree of a text, which the caller must delete; undefined if parsing takes too long. */
function parseWithin(parser: Parser, text: string): Tree | undefined {
  const end = performance.now() + maxParseMs;
  const tree = parser.parse(text, null, { progressCallback: () => performance.now() > end });
  parser.reset();
  return tree ?? undefined;
}

/** Returns the paths of the grammar's files: next to the built program, or else in npm packages. */
function grammarFiles(): GrammarFiles {
  const built = fileURLToPath(new URL("../shell-grammar/", import.meta.url));
  if (existsSync(`${built}tree-sitter-bash.wasm`)) {
    return { runtime: `${built}web-tree-sitter.wasm`, bash: `${built}tree-sitter-bash.wasm` };
  }
  const { resolve } = createRequire(import.meta.url);
  return {
    runtime: resolve("web-tree-sitter/web-tree-sitter.wasm"),
    bash: resolve("@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm"),
  };
}
