/**
 * Builds the published packages into dist/, ready for `npm pack`: `localharness`, bundled, into `dist/cli`, and
 * `@localharness/detect` into `dist/detect`.
 */
import { chmod, copyFile, cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { languages } from "@localharness/graph";
import { rolldown } from "rolldown";
import { buildDetect } from "./build-detect.ts";
import { buildWebIfStale, webDist } from "./build-web.ts";
import { thirdPartyLicenses } from "./third-party.ts";

const root = join(import.meta.dirname, "..");

/** Packages that are dependencies of the bundle: their executables depend on the platform. */
const installed = ["@vscode/ripgrep"];

/** The library of the sandbox. It looks for its helpers in `vendor` beside the file that it is in. */
const sandboxRuntime = "node_modules/@anthropic-ai/sandbox-runtime";
const sandboxHelpers = [
  "seccomp/x64/apply-seccomp",
  "seccomp/arm64/apply-seccomp",
  "java-proxy-agent/srt-proxy-agent.jar",
];

/** The grammar of the shell, and the runtime of grammars. */
const grammarFiles = [
  "web-tree-sitter/web-tree-sitter.wasm",
  "@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm",
];

/** The module with the version. It becomes a separate file, so that `--version` loads nothing else. */
const printed = join(root, "packages/harness/src/compose/version.ts");

/** The modules that read the command line. */
const neededAtStart = ["packages/cli/src/run.ts", "packages/cli/src/help.ts"];

/** The modules that every session needs before its first request, with what they import. */
const neededBySessions = [
  "packages/cli/src/commands/chat.ts",
  "packages/cli/src/modes/print.ts",
  "packages/harness/src/prompt/agents/agent-models.ts",
  "packages/harness/src/prompt/agents/offer-agents.ts",
  "packages/models/src/index.ts",
];

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly description?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

if (import.meta.main) {
  const target = join(root, "dist", "cli");
  await buildCli(target);
  await buildDetect(join(root, "dist", "detect"));
  await report(join(target, "lib"));
}

/** Empties a folder and builds the package `localharness` into it. */
export async function buildCli(target: string): Promise<void> {
  await rm(target, { recursive: true, force: true });
  await mkdir(join(target, "bin"), { recursive: true });
  const bundled = await bundle(join(root, "packages/cli/src/main.ts"), join(target, "lib"));
  await bundleLoader(join(root, "packages/harness/src/start/load-bundle.ts"), join(target, "lib"));
  await copyFile(join(root, "bin", "localharness"), join(target, "bin", "localharness"));
  await chmod(join(target, "bin", "localharness"), 0o755);
  await cp(join(root, "packages/cli/src/demo-workspace"), join(target, "demo-workspace"), {
    recursive: true,
  });
  await buildWebIfStale();
  await cp(webDist, join(target, "web"), { recursive: true });
  for (const helper of sandboxHelpers) {
    await cp(join(root, sandboxRuntime, "vendor", helper), join(target, "lib", "vendor", helper));
  }
  const copied = grammarFiles.map((file) => join(root, "node_modules", file));
  await writeFile(join(target, "THIRD-PARTY.txt"), await thirdPartyLicenses([...bundled, ...copied]));
  await copyGrammar(join(target, "shell-grammar"));
  await compressGrammars(join(target, "grammars"));
  for (const name of ["README.md", "LICENSE"]) await copyIfThere(join(root, name), join(target, name));
  await writeFile(join(target, "package.json"), `${JSON.stringify(await manifest(), null, 2)}\n`);
}

/** Copies the shell grammar to the folder beside the bundle where the program looks for it. */
async function copyGrammar(target: string): Promise<void> {
  await mkdir(target);
  for (const file of grammarFiles)
    await copyFile(join(root, "node_modules", file), join(target, basename(file)));
}

/** Compresses the grammars of the index into the folder beside the bundle: 1.3 MB instead of 20 MB. */
async function compressGrammars(target: string): Promise<void> {
  await mkdir(target);
  for (const name of new Set(languages.map(({ grammar }) => grammar))) {
    const file = `tree-sitter-${name}.wasm`;
    const bytes = await readFile(join(root, "node_modules/@vscode/tree-sitter-wasm/wasm", file));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    await writeFile(join(target, `${file}.br`), brotliCompressSync(bytes, { params }));
  }
}

/**
 * Bundles as minified CommonJS, split at dynamic imports, and returns the paths of the modules. All modules that every
 * session needs are in one file, because each of 66 files would take a third of a millisecond. Rejects if the bundler warns.
 */
async function bundle(input: string, dir: string): Promise<Iterable<string>> {
  const graph = new Map<string, readonly string[]>();
  const build = await rolldown({
    input: {
      main: input,
      "html-worker": join(root, "packages/tools/src/web/html-worker.ts"),
      "parse-thread": join(root, "packages/graph/src/parse-thread.ts"),
      "store-thread": join(root, "packages/graph/src/store-thread.ts"),
    },
    plugins: [
      {
        name: "module-graph",
        moduleParsed: ({ id, importedIds }) => void graph.set(id, importedIds),
      },
    ],
    platform: "node",
    external: installed.map((name) => new RegExp(`^${name}(/|$|-)`)),
    treeshake: { moduleSideEffects: false },
    // The bundle is started by bin/localharness, never by itself.
    transform: { define: { "import.meta.main": "false" } },
    onLog(level, log, handle) {
      // The runtime of the grammars evaluates glue code in its own files; ours contain no such code.
      if (log.code === "EVAL" && log.id?.includes("web-tree-sitter") === true) return;
      // The modules that every session needs are in one file, even if they are imported dynamically.
      if (log.code === "INEFFECTIVE_DYNAMIC_IMPORT") return;
      if (level === "warn") throw new Error(`the bundler warns: ${log.message}`);
      handle(level, log);
    },
  });
  await build.write({
    codeSplitting: {
      groups: [
        { name: "version", test: (id) => id === printed },
        { name: "start", test: (id) => reached(graph, neededAtStart).has(id) },
        { name: "session", test: (id) => reached(graph, neededBySessions).has(id) },
        {
          name: "sandbox-runtime",
          test: (id) => reached(graph, [`${sandboxRuntime}/dist/index.js`]).has(id),
        },
      ],
    },
    dir,
    format: "cjs",
    exports: "named",
    // A real dynamic import would load Node's loader for ES modules, which takes 10 ms the first time.
    dynamicImportInCjs: false,
    minify: true,
    // V8 keeps a source with one character beyond Latin-1 at two bytes a character.
    charset: "ascii",
    entryFileNames: "[name].cjs",
    chunkFileNames: ({ facadeModuleId }) => `${nameOf(facadeModuleId) ?? "[name]"}-[hash].cjs`,
  });
  await build.close();
  return graph.keys();
}

/** Returns the name of the package if the module is its `src/index.ts`: all these files have the same name. */
function nameOf(module: string | null): string | undefined {
  return module === null ? undefined : /\/([^/]+)\/src\/index\.ts$/.exec(module)?.[1];
}

/** Builds `load.cjs`, which loads the bundle, in a separate build, so that the two share no file. */
async function bundleLoader(input: string, dir: string): Promise<void> {
  const build = await rolldown({
    input: { load: input },
    platform: "node",
    treeshake: { moduleSideEffects: false },
  });
  await build.write({ dir, format: "cjs", exports: "named", minify: true, entryFileNames: "[name].cjs" });
  await build.close();
}

/** Returns the modules, and all that they import when they are loaded. */
function reached(
  graph: ReadonlyMap<string, readonly string[]>,
  modules: readonly string[],
): ReadonlySet<string> {
  const found = new Set(modules.map((name) => join(root, name)));
  for (const id of found) for (const imported of graph.get(id) ?? []) found.add(imported);
  return found;
}

async function manifest(): Promise<object> {
  const workspace = await readManifest("package.json");
  const { dependencies: has } = await readManifest("packages/processes/package.json");
  const dependencies = Object.fromEntries(installed.map((name) => [name, has?.[name] ?? "*"]));
  if (Object.values(dependencies).some((version) => !/^\d/.test(version))) {
    throw new Error(`expected exact versions of ${installed.join(", ")} in packages/processes/package.json`);
  }
  return {
    name: "localharness",
    version: workspace.version,
    description: workspace.description,
    license: workspace.license,
    bin: { localharness: "bin/localharness" },
    engines: { node: ">=24" },
    files: ["bin", "lib", "demo-workspace", "grammars", "shell-grammar", "web", "THIRD-PARTY.txt"],
    dependencies,
  };
}

async function readManifest(path: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(root, path), "utf8"));
}

async function copyIfThere(from: string, to: string): Promise<void> {
  const there = await stat(from).catch(() => undefined);
  if (there !== undefined) await copyFile(from, to);
}

async function report(folder: string): Promise<void> {
  const names = await readdir(folder);
  const sizes = await Promise.all(
    names.map(async (name) => ({ name, size: (await stat(join(folder, name))).size })),
  );
  for (const { name, size } of sizes.toSorted((a, b) => b.size - a.size)) {
    process.stdout.write(`${String(size).padStart(8)} ${name}\n`);
  }
  process.stdout.write(`${String(sizes.reduce((sum, { size }) => sum + size, 0)).padStart(8)} in all\n`);
}
