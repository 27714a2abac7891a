/** What a call executes by name: package scripts, makefiles, script files. An answer is tied to their contents. */
import { isJsonObject, type JsonValue } from "@localharness/protocol";
import { type NamedScript, namedScripts } from "./named-scripts.ts";
import { optionFiles, ordersFromInput } from "./option-files.ts";
import { looksOnly } from "./read-only-programs.ts";
import { baseName, isShell } from "./wrappers.ts";

export type ExecutedFile =
  | NamedScript
  /** A program that packages bring along: `node_modules/.bin/NAME`, here or in a folder above. */
  | { readonly kind: "installed"; readonly name: string }
  /** Of the nearest `package.json` upwards: the scripts, and what changes how they run. */
  | { readonly kind: "package-scripts" }
  | { readonly kind: "package" }
  | { readonly kind: "file"; readonly name: string }
  | { readonly kind: "makefile"; readonly name: string }
  /** A word that is no more than a file's name, unless the file can be executed. */
  | { readonly kind: "executable"; readonly name: string };

const endings = (stem: string, more = "") =>
  `js mjs cjs ts mts cts ${more}`
    .trim()
    .split(" ")
    .map((ending) => `${stem}.${ending}`)
    .join(" ");
const composeFiles = ["docker-compose", "docker-compose.override", "compose", "compose.override"]
  .map((stem) => `${stem}.yml ${stem}.yaml`)
  .join(" ");

const byName: Readonly<Record<string, string>> = {
  make: "GNUmakefile makefile Makefile",
  gmake: "GNUmakefile makefile Makefile",
  ninja: "build.ninja",
  just: "justfile .justfile Justfile",
  task: "Taskfile.yml Taskfile.yaml taskfile.yml taskfile.yaml",
  rake: "Rakefile rakefile Rakefile.rb rakefile.rb",
  gulp: "gulpfile.js gulpfile.mjs gulpfile.ts",
  grunt: "Gruntfile.js",
  cargo: "Cargo.toml build.rs .cargo/config.toml .cargo/config rust-toolchain rust-toolchain.toml",
  go: "go.mod go.work",
  gradle: "build.gradle build.gradle.kts settings.gradle settings.gradle.kts gradle.properties",
  gradlew:
    "gradlew gradle/wrapper/gradle-wrapper.properties build.gradle build.gradle.kts settings.gradle settings.gradle.kts gradle.properties",
  mvn: "pom.xml .mvn/maven.config .mvn/jvm.config .mvn/extensions.xml",
  mvnw: "mvnw .mvn/wrapper/maven-wrapper.properties pom.xml .mvn/maven.config .mvn/jvm.config .mvn/extensions.xml",
  bundle: "Gemfile .bundle/config",
  composer: "composer.json",
  pytest: "pytest.ini pyproject.toml tox.ini setup.cfg conftest.py",
  "py.test": "pytest.ini pyproject.toml tox.ini setup.cfg conftest.py",
  tox: "tox.ini pyproject.toml setup.cfg",
  nox: "noxfile.py",
  invoke: "tasks.py",
  poetry: "pyproject.toml",
  uv: "pyproject.toml uv.toml",
  hatch: "pyproject.toml hatch.toml",
  pip: "setup.py pyproject.toml setup.cfg pip.conf",
  deno: "deno.json deno.jsonc",
  docker: `Dockerfile ${composeFiles}`,
  podman: `Dockerfile Containerfile ${composeFiles}`,
  "docker-compose": composeFiles,
  mix: "mix.exs",
  rebar3: "rebar.config",
  stack: "stack.yaml package.yaml",
  cmake: "CMakeLists.txt",
  meson: "meson.build",
  bazel: "WORKSPACE MODULE.bazel BUILD BUILD.bazel .bazelrc",
  zig: "build.zig build.zig.zon",
  dotnet: "Directory.Build.props Directory.Build.targets nuget.config",
  turbo: "turbo.json",
  nx: "nx.json",
  vite: endings("vite.config"),
  vitest: `${endings("vitest.config")} ${endings("vite.config")}`,
  jest: endings("jest.config", "json"),
  "pre-commit": ".pre-commit-config.yaml",
  lefthook: "lefthook.yml .lefthook.yml lefthook.yaml lefthook.toml lefthook.json",
  eslint: `${endings("eslint.config")} .eslintrc.js .eslintrc.cjs .eslintrc.json .eslintrc.yml .eslintrc.yaml .eslintrc`,
  webpack: endings("webpack.config"),
  rollup: endings("rollup.config"),
  mocha: ".mocharc.js .mocharc.cjs .mocharc.json .mocharc.yml .mocharc.yaml",
  playwright: endings("playwright.config"),
  next: endings("next.config"),
  prettier: `.prettierrc ${endings(".prettierrc", "json json5 yaml yml toml")} ${endings("prettier.config")}`,
  hg: ".hg/hgrc",
  foreman: "Procfile",
  overmind: "Procfile .overmind.env",
  honcho: "Procfile",
  flask: "app.py wsgi.py .flaskenv",
  swift: "Package.swift",
  nix: "flake.nix default.nix shell.nix",
  "nix-shell": "shell.nix default.nix",
  "nix-build": "default.nix",
  latexmk: "latexmkrc .latexmkrc",
  phpunit: "phpunit.xml phpunit.xml.dist",
  rspec: ".rspec",
};

const packageManagers: ReadonlySet<string> = new Set("npm pnpm yarn bun npx pnpx bunx".split(" "));
const managerFiles =
  ".npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnpmfile.mjs pnpm-workspace.yaml bunfig.toml".split(" ");
/** Without an install script npm builds what `binding.gyp` says. */
const installFiles =
  "package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock bun.lock bun.lockb binding.gyp".split(" ");
const installs =
  /^(?:i|in|ins|inst|install|ci|clean-install|add|update|up|upgrade|rebuild|rb|link|pack|publish|version|exec|x|dlx|create|init)$/;

const interpreters =
  /^(?:python|pypy|node|nodejs|ruby|perl|php|deno|bun|tsx|ts-node|lua|luajit|Rscript|julia|groovy|tclsh|osascript|pwsh|awk|gawk|mawk|sed)[\d.]*$/;

export function isInterpreter(name: string): boolean {
  return isShell(name) || interpreters.test(name);
}

export function executedFiles(words: readonly string[]): readonly ExecutedFile[] {
  const [program = "", ...args] = words;
  const name = baseName(program);
  const files: ExecutedFile[] = [];
  const file = (path: string) => files.push({ kind: "file", name: path });
  if (program.includes("/")) {
    file(program);
  } else {
    files.push({ kind: "installed", name });
  }
  files.push(...namedScripts(words, Object.hasOwn(byName, name)));
  if (packageManagers.has(name)) {
    const wholePackage = args.some((word) => installs.test(word)) || /x$/.test(name) || args.length === 0;
    files.push({ kind: wholePackage ? "package" : "package-scripts" });
    // Without a script of that name `npm start` runs this file.
    const started = args.includes("start") ? ["server.js"] : [];
    for (const path of [...managerFiles, ...(wholePackage ? installFiles : []), ...started]) {
      file(path);
    }
  }
  for (const path of (Object.hasOwn(byName, name) ? (byName[name] ?? "") : "").split(" ")) {
    if (path !== "") {
      file(path);
    }
  }
  // They run package scripts by their names.
  if (
    /^(?:npm-run-all|run-[sp]|concurrently)$/.test(name) ||
    (name === "node" && args.some((word) => word.startsWith("--run"))) ||
    name === "deno"
  ) {
    files.push({ kind: "package-scripts" });
  }
  if (looksOnly(words) === undefined) {
    const named = args.flatMap((word) => [word, ...(/^[^=]*=(.+)$/s.exec(word)?.slice(1) ?? [])]);
    files.push(...named.map((word) => ({ kind: "executable", name: word }) as const));
  }
  if (ordersFromInput(name, args)) {
    files.push({ kind: "elsewhere" });
  }
  if (isInterpreter(name) || name === "source" || name === ".") {
    for (const path of scriptWords(name, args)) {
      file(path);
    }
  } else {
    const isMake = /^g?make$/.test(name);
    const kind = isMake ? "makefile" : "file";
    const named = [...optionFiles(name, args), ...(isMake ? variableFiles(args) : [])];
    files.push(...named.map((path) => ({ kind, name: path }) as const));
  }
  return files;
}

/** `CC=bash x.sh` and `MAKEFILES=x.mk` of make name what it runs and takes in. */
function variableFiles(args: readonly string[]): readonly string[] {
  const values = args.flatMap((word) => /^\w+[?:+!]*=(.+)$/s.exec(word)?.slice(1) ?? []);
  return values.flatMap((value) => value.split(/\s+/)).filter((word) => word !== "" && !word.startsWith("-"));
}

/** True for an interpreter whose script is a word that only the running shell knows: `bash $X`, `python3 *.py`. */
export function runsComputed([program = "", ...args]: readonly string[]): boolean {
  const name = baseName(program);
  if (!isInterpreter(name) || /^(?:g?awk|mawk|sed)$/.test(name)) return false;
  const script = args.findIndex((word) => !/^[-+]/.test(word));
  // After an option the first word may be its value, and the script one of the next.
  return args
    .slice(0, script < 1 ? script + 1 : script + 3)
    .some((word) => /[$`]|<\(/.test(word) || (!/\s/.test(word) && /[*?[{]/.test(word)));
}

/** The script, and whatever stands before it or is named by an option. */
function scriptWords(name: string, args: readonly string[]): readonly string[] {
  const script = args.findIndex((word) => !/^[-+]/.test(word));
  const module = args.findIndex((word) => /^-[a-zA-Z]*m$/.test(word));
  const moduleFiles = module === -1 ? [] : moduleNames(args[module + 1] ?? "");
  const before = args
    .slice(0, script === -1 ? args.length : script + 3)
    .filter((word) => !/^[-+]/.test(word));
  return [...before, ...moduleFiles, ...optionFiles(name, args)];
}

function moduleNames(module: string): readonly string[] {
  const parts = module.split(".");
  const path = parts.join("/");
  return [
    `${path}.py`,
    `${path}/__main__.py`,
    ...parts.map((_, index) => `${parts.slice(0, index + 1).join("/")}/__init__.py`),
    ...(byName[module] ?? "").split(" "),
  ].filter((name) => name !== "");
}

/** What of a `package.json` says how scripts run; the whole text where it is not understood. */
export function scriptsOf(text: string): string {
  try {
    const parsed: JsonValue = JSON.parse(text);
    if (!isJsonObject(parsed)) {
      return text;
    }
    const { scripts = null, config = null, packageManager = null, workspaces = null } = parsed;
    return JSON.stringify({ scripts, config, packageManager, workspaces });
  } catch {
    return text;
  }
}

/** Files that a makefile takes in, as they are written: `*.mk` and `$(X)` among them. */
export function includedBy(makefile: string): readonly string[] {
  const joined = makefile.replace(/\\\r?\n/g, " ");
  const lines = joined.match(/^[ \t]*(?:-include|include|sinclude)[ \t]+[^\n#]*/gm) ?? [];
  return lines.flatMap((line) => line.trim().split(/\s+/).slice(1));
}

/** True for a package that runs scripts of packages in other folders when it is installed. */
export function bringsPackages(text: string): boolean {
  return /"workspaces"\s*:|"(?:file|link|portal|workspace):/.test(text);
}
