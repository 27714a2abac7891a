/** The grammar of bash, loaded when the first command is to be read. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import type { Parser, Tree } from "web-tree-sitter";

export type Grammar =
  | { readonly ok: true; parse(text: string): Tree | undefined }
  /** Why it could not be loaded, in words. */
  | { readonly ok: false; readonly problem: string };

export interface GrammarFiles {
  readonly runtime: string;
  readonly bash: string;
}

const longestParseMs = 250;

let loading: Promise<Grammar> | undefined;

/** Never rejects. Loaded once: the files of the first call hold. */
export function loadGrammar(files?: GrammarFiles): Promise<Grammar> {
  if (files !== undefined) return load(files);
  loading ??= load();
  return loading;
}

async function load(given?: GrammarFiles): Promise<Grammar> {
  try {
    const files = given ?? grammarFiles();
    const { Language, Parser: LoadedParser } = await import("web-tree-sitter");
    // The optimising compiler takes 350 MB and more for this grammar; the plain one reads a command as well.
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

/** Undefined when it took too long. The caller deletes the tree. */
function parseWithin(parser: Parser, text: string): Tree | undefined {
  const end = performance.now() + longestParseMs;
  const tree = parser.parse(text, null, { progressCallback: () => performance.now() > end });
  parser.reset();
  return tree ?? undefined;
}

/** Beside the built program, or in the packages that they come from. */
function grammarFiles(): GrammarFiles {
  const built = fileURLToPath(new URL("../shell-grammar/", import.meta.url));
  if (existsSync(`${built}tree-sitter-bash.wasm`))
    return { runtime: `${built}web-tree-sitter.wasm`, bash: `${built}tree-sitter-bash.wasm` };
  const { resolve } = createRequire(import.meta.url);
  return {
    runtime: resolve("web-tree-sitter/web-tree-sitter.wasm"),
    bash: resolve("@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm"),
  };
}
