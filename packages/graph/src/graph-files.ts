/** Finds the program's own files that the threads of the index load: the grammars, and the modules of the threads. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";

/**
 * Returns the WebAssembly of a grammar. It is compressed in the folder beside the built program, or comes from its
 * package.
 */
export function readGrammar(name: string): Uint8Array {
  const built = fileURLToPath(new URL(`../grammars/tree-sitter-${name}.wasm.br`, import.meta.url));
  if (existsSync(built)) return brotliDecompressSync(readFileSync(built));
  return readFileSync(fileOf(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`));
}

/** Returns the WebAssembly of the parser. The built program has it in the folder of the shell's grammar. */
export function readRuntime(): Uint8Array {
  const built = fileURLToPath(new URL("../shell-grammar/web-tree-sitter.wasm", import.meta.url));
  return readFileSync(existsSync(built) ? built : fileOf("web-tree-sitter/web-tree-sitter.wasm"));
}

/** Returns the path of a thread's module: the file beside the built program, or else the source file. */
export function threadFile(name: "parse-thread" | "store-thread"): string {
  const built = fileURLToPath(new URL(`./${name}.cjs`, import.meta.url));
  return existsSync(built) ? built : fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
}

function fileOf(path: string): string {
  return createRequire(import.meta.url).resolve(path);
}
