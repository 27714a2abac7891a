/** Builds the package `@localharness/detect` into a folder, ready for `npm pack`: plain ES modules and their types,
 * those of `@localharness/schema` among them. */
import { execFile } from "node:child_process";
import { copyFile, glob, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "..");
const source = join(root, "packages/detect");

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: object;
}

/** Empties the folder and builds into it. Rejects with the compiler's output when the sources have errors. */
export async function buildDetect(target: string): Promise<void> {
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  await compile(join(target, "compiled"));
  await bundleSchema(join(target, "compiled"), join(target, "lib"));
  await copyFile(join(source, "README.md"), join(target, "README.md"));
  await copyFile(join(root, "LICENSE"), join(target, "LICENSE"));
  await writeFile(join(target, "package.json"), `${JSON.stringify(await manifest(), null, 2)}\n`);
}

async function compile(outDir: string): Promise<void> {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const args = [compiler, "-p", join(source, "tsconfig.build.json"), "--outDir", outDir, "--pretty", "false"];
  try {
    await promisify(execFile)(process.execPath, args);
  } catch (error) {
    const said = error instanceof Error && "stdout" in error ? String(error.stdout) : String(error);
    throw new Error(`detect does not compile:\n${said}`, { cause: error });
  }
}

/** Moves what the compiler wrote: the folder of detect becomes `lib`, and that of schema `lib/schema`. */
async function bundleSchema(compiled: string, lib: string): Promise<void> {
  await rename(join(compiled, "detect/src"), lib);
  await rename(join(compiled, "schema/src"), join(lib, "schema"));
  await rm(compiled, { recursive: true });
  for await (const file of glob("**/*.{js,d.ts}", { cwd: lib })) await pointToFiles(lib, join(lib, file));
}

/** Rewrites imports of schema to paths, and `.ts` to `.js` in declaration files, which the compiler does only in code. */
async function pointToFiles(lib: string, file: string): Promise<void> {
  const text = await readFile(file, "utf8");
  const schema = relative(dirname(file), join(lib, "schema/index.js"));
  const path = schema.startsWith(".") ? schema : `./${schema}`;
  const pointed = text
    .replaceAll('"@localharness/schema"', JSON.stringify(path.replaceAll("\\", "/")))
    .replace(/((?:from|import) ?\(?"\.{1,2}\/[^"]+)\.ts"/g, '$1.js"');
  if (pointed !== text) await writeFile(file, pointed);
}

async function manifest(): Promise<object> {
  const workspace = await readManifest(join(root, "package.json"));
  const { peerDependencies, peerDependenciesMeta } = await readManifest(join(source, "package.json"));
  const entry = (name: string) => ({ types: `./lib/${name}.d.ts`, default: `./lib/${name}.js` });
  return {
    name: "@localharness/detect",
    version: workspace.version,
    description:
      "Finds the tool calls in what a language model writes, in whatever format, while it streams.",
    keywords: ["llm", "tool-calls", "function-calling", "parser", "streaming", "ai-sdk", "ollama"],
    license: workspace.license,
    type: "module",
    sideEffects: false,
    exports: {
      ".": entry("index"),
      "./ai-sdk": entry("ai-sdk/index"),
      "./package.json": "./package.json",
    },
    files: ["lib"],
    engines: { node: ">=20" },
    peerDependencies,
    peerDependenciesMeta,
  };
}

async function readManifest(path: string): Promise<Manifest> {
  return JSON.parse(await readFile(path, "utf8"));
}
