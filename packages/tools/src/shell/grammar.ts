/** Loads the grammar of bash when the first command is to be read. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Parser, Tree } from "web-tree-sitter";

export type Grammar =
  | { readonly ok: true; parse(text: string): Tree | undefined }
  /** The reason why it could not be loaded. */
  | { readonly ok: false; readonly problem: string };

export interface GrammarFiles {
  readonly runtime: string;
  readonly bash: string;
}

const maxParseMs = 250;

let loading: Promise<Grammar> | undefined;

/** Never rejects. Loads the grammar once, unless `files` are given. */
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
    // The optimising compiler takes more than 350 MB for this grammar; the plain one is fast enough for commands.
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

/** Returns undefined when it takes too long. The caller deletes the tree. */
function parseWithin(parser: Parser, text: string): Tree | undefined {
  const end = performance.now() + maxParseMs;
  const tree = parser.parse(text, null, { progressCallback: () => performance.now() > end });
  parser.reset();
  return tree ?? undefined;
}

/** Returns the files beside the built program, or those in their packages. */
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
