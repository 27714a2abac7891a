/**
 * Writes `NAME.signature.ts` beside every source of the built-in tools in which a function's doc comment contains
 * `@tool`. The files are committed, because the bundle has no sources from which to derive them.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { functionSignature } from "@localharness/engine";

export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

/** Returns the paths and texts of the generated files for the sources in `folder`. */
export function generateSignatures(folder: string): GeneratedFile[] {
  const sources = globSync("**/*.ts", { cwd: folder }).filter((name) => !name.endsWith(".signature.ts"));
  return sources.sort().flatMap((name) => {
    const source = readFileSync(join(folder, name), "utf8");
    const names = [
      ...source.matchAll(/@tool\b(?:(?!\*\/)[\s\S])*\*\/\s*export (?:async )?function (\w+)/g),
    ].map((match) => match[1] ?? "");
    return names.length === 0
      ? []
      : [{ path: join(folder, name.replace(/\.ts$/, ".signature.ts")), text: fileText(source, names) }];
  });
}

function fileText(source: string, names: readonly string[]): string {
  const constants = names.map((name) => {
    const signature = JSON.stringify(functionSignature(source, name), null, 2);
    return `export const ${name}Signature: FunctionSignature = ${signature};\n`;
  });
  const head = "/** Derived from the typed functions of the sibling file by `npm run fix`; do not edit. */\n";
  return `${head}import type { FunctionSignature } from "@localharness/engine";\n\n${constants.join("\n")}`;
}

function main(): void {
  const folder = join(import.meta.dirname, "../packages/tools/src");
  const files = generateSignatures(folder);
  for (const file of files) writeFileSync(file.path, file.text);
  process.stdout.write(`${files.length} signature files written\n`);
}

if (import.meta.main) main();
