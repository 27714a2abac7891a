/** Which word of a call is the script that it runs, and which calls run what no word names. */
import { baseName } from "./wrappers.ts";

export type NamedScript =
  /** What it runs is `name`, when that is a file. A folder of that name would be run by its contents. */
  | { readonly kind: "script"; readonly name: string }
  /** Where there is no such file, others of similar names are tried. */
  | { readonly kind: "resolved"; readonly name: string }
  /** What it runs lies in folders, or in other packages, and is not looked at. */
  | { readonly kind: "elsewhere" };

const elsewhere: readonly NamedScript[] = [{ kind: "elsewhere" }];

/** They add endings to a script's name, and take a folder for its `index` or `main`. */
const resolving = /^(?:node|nodejs|bun|tsx|ts-node|ts-node-dev|tsnd|esno|jiti|vite-node|babel-node|nodemon)$/;
const python = /^(?:python|pypy)[\d.]*$/;
/** What runs is in the option, or is a test or a script of the package. */
const nodeInline = /^(?:-e|-p|-pe|--eval|--print|--test|--run|--version|-v|--help|-h)(?:=|$)/;
const pythonInline = /^(?:-[a-zA-Z]*[cm]|-V|--version|--help|-h)$/;
const launchers: ReadonlySet<string> = new Set(
  "java kotlin scala dart swift elixir crystal nim zig runghc runhaskell guile racket sbcl expect escript bb swipl raku nu bats busted gnuplot m4 octave pwsh powershell groovy ansible-playbook nix-shell nix-build v emacs gdb lldb vim nvim wish R psql prove".split(
    " ",
  ),
);

/** Options that never take the next word. After any other one it may be a value. */
const alone =
  /=|^-[a-zA-Z]*[OuBbdiqsSv]$|^--(?:watch|inspect|inspect-brk|no-warnings|enable-source-maps|expose-gc|hot|respawn|transpile-only|experimental-strip-types|experimental-vm-modules|trace-warnings|trace-uncaught)$/;

const bunCommands: ReadonlySet<string> = new Set(
  "test install i ci add a remove rm update outdated pm x create c init link unlink build publish patch upgrade repl audit info why".split(
    " ",
  ),
);

const managers: ReadonlySet<string> = new Set("npm pnpm yarn bun npx".split(" "));
/** Every package of a workspace brings scripts of its own. */
const everyPackage =
  /^(?:--workspaces|--ws|-ws|-w|--workspace|--include-workspace-root|-r|--recursive|--filter|-F)(?:=|$)|^(?:workspaces?|recursive|multi|foreach)$/;
/** What they run lies in folders, also without a word of it. */
const folderRunners: ReadonlySet<string> = new Set(
  "turbo nx lerna rush wireit moon lage terraform tofu terragrunt pulumi".split(" "),
);

/** Options by which a program works in another folder, or takes its orders from there. */
const otherFolder =
  /^(?:-C.*|--(?:directory|cwd|chdir|project-dir|project-directory|working-directory|working-dir|work-dir|include-dir|dir|rootdir|root|test-dir)(?:=.*)?)$/;
/** Also behind other letters, and cut short. */
const otherFolderOfMake = /^-[a-zA-Z]*?[CI]|^--(?:di|inc)/;
const otherFolderOf: Readonly<Record<string, RegExp>> = {
  make: otherFolderOfMake,
  gmake: otherFolderOfMake,
  gradle: /^-[pbc]/,
  gradlew: /^-[pbc]/,
  just: /^-d/,
  task: /^-d/,
  composer: /^-d/,
  cmake: /^(?:--build|--install|-[SBP].*)$/,
  dotnet: /^--project/,
  uv: /^--project/,
  cargo: /^--(?:manifest-path|config)/,
};

/** `words` is the whole call. `known`: the program is one whose files are looked at by name. */
export function namedScripts(words: readonly string[], known: boolean): readonly NamedScript[] {
  const name = baseName(words[0] ?? "");
  const args = words.slice(1);
  if (folderRunners.has(name) || (managers.has(name) && namesEveryPackage(args))) return elsewhere;
  if (known && args.some((word) => otherFolder.test(word) || otherFolderOf[name]?.test(word) === true))
    return elsewhere;
  if (name === "go") return goRuns(args);
  if (name === "uv" && args[0] === "run")
    return scriptsOf(args.slice(1), pythonInline).map((one) => ({ kind: "script", name: one }));
  if (launchers.has(name)) return launched(name, args);
  if (name === "bun") return bunRuns(args);
  if (name === "nodemon" && args.length === 0) return elsewhere;
  if (resolving.test(name))
    return scriptsOf(args, nodeInline).map((one) => ({ kind: "resolved", name: one }));
  return python.test(name) ? scriptsOf(args, pythonInline).map((one) => ({ kind: "script", name: one })) : [];
}

function namesEveryPackage(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return (end === -1 ? args : args.slice(0, end)).some((word) => everyPackage.test(word));
}

/** The first word that is no option. What follows an option may be its value: then the next one counts as well. */
function scriptsOf(args: readonly string[], inline: RegExp): readonly string[] {
  const found: string[] = [];
  for (const [index, word] of args.entries()) {
    const before = index === 0 ? "" : (args[index - 1] ?? "");
    if (word.startsWith("-") && before !== "--") {
      if (found.length === 0 && inline.test(word)) return [];
    } else {
      found.push(word);
      if (!before.startsWith("-") || before === "--" || alone.test(before)) return found;
    }
  }
  return found;
}

/** `go run` of files compiles these and no others. */
function goRuns(args: readonly string[]): readonly NamedScript[] {
  const command = args.find((word) => !word.startsWith("-"));
  if (command === "generate") return elsewhere;
  if (command !== "run") return [];
  const files = args.slice(args.indexOf("run") + 1).filter((word) => !word.startsWith("-"));
  const end = files.findIndex((word) => !word.endsWith(".go"));
  const sources = end === -1 ? files : files.slice(0, end);
  return sources.length === 0 ? elsewhere : sources.map((name) => ({ kind: "script", name }));
}

/** They run a source file by its name; a class or a package is found in folders. */
function launched(name: string, args: readonly string[]): readonly NamedScript[] {
  const files = args.filter((word) => !word.startsWith("-") && /\.\w+$/.test(word));
  const scripts = files.map((word): NamedScript => ({ kind: "script", name: word }));
  const asks = args.length === 0 || args.every((word) => /^-{1,2}(?:version|help)$/.test(word));
  return scripts.length === 0 && name === "java" && !asks ? elsewhere : scripts;
}

/** A package script, or else a file. */
function bunRuns(args: readonly string[]): readonly NamedScript[] {
  const run = args.indexOf("run");
  const names = scriptsOf(run === -1 ? args : args.slice(run + 1), nodeInline);
  return run === -1 && bunCommands.has(names[0] ?? "")
    ? []
    : names.map((name) => ({ kind: "resolved", name }));
}
