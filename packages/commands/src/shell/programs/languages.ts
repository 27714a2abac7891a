/** Compilers, interpreters and package managers of languages but JavaScript and Python; debuggers; editors. */
import { anyTests, downloads, type Program, type ProgramRows, tests } from "./program.ts";
import { dottedWords, everyWord, goRuns, javaRuns } from "./run-files.ts";
import { inPlace } from "./written.ts";

const interpreter: Program = { interprets: "script" };
const inPlaceFlags = /^-[acflnpstuwSTUWi\d]+$|^-[IrEKMmFlxCi0].|^--$/;
const inPlaces: Program = { ...interpreter, writes: inPlace, flags: inPlaceFlags };
/** A row for programs that start a source file among their words. */
const launcher: Program = { ...interpreter, runs: dottedWords };
/** A row for programs that may run any file among their words. */
const calculator: Program = { ...interpreter, runs: everyWord };
const speaking: Program = { interprets: "script", speaks: true };
const editor: Program = { ...speaking, writes: "operands" };

export const languages: ProgramRows = {
  perl: { ...inPlaces, inline: /^-[acflnpstuwTUWX\d]*[eE]/ },
  ruby: { ...inPlaces, inline: /^-[aclnpswWU\d]*e/ },
  php: { ...interpreter, inline: /^-[nq]*[rBREFSfl]/, flags: /^-[nq]+$|^-[dcz]./ },
  "lua luajit Rscript julia tclsh osascript": interpreter,
  java: { ...launcher, inline: /^-/, runs: javaRuns },
  "kotlin scala groovy elixir racket sbcl wish m4 powershell pwsh": launcher,
  guile: { ...launcher, inline: /^-[cs](?:=|$)/ },
  expect: { ...launcher, speaks: true },
  "R raku swipl escript octave gnuplot runghc runhaskell bb": launcher,
  "bc dc cmd erl ghci iex irb jshell mysql psql sqlite3": calculator,
  dart: { runs: dottedWords, ...tests },
  "flutter sbt lein": tests,
  "crystal nim v busted": { runs: dottedWords },
  swift: { ...launcher, files: "Package.swift", ...tests },
  zig: {
    files: "build.zig build.zig.zon",
    runs: dottedWords,
    achieves: { kind: "tests-passed", words: /^build (?:-\S+ )*(?:--)?(?:test|check|verify)(?: |$)/ },
  },
  go: {
    risk: "project",
    network: downloads,
    hosts: "proxy.golang.org sum.golang.org",
    caches: "~/go/pkg/mod ~/go/pkg/sumdb ~/.cache/go-build",
    files: "go.mod go.work",
    runs: goRuns,
    outputOption: true,
    ...tests,
  },
  cargo: {
    risk: "project",
    network: downloads,
    files: "Cargo.toml build.rs .cargo/config.toml .cargo/config rust-toolchain rust-toolchain.toml",
    offline: { CARGO_NET_RETRY: "0", RUSTUP_MAX_RETRIES: "0" },
    asked: { CARGO_HTTP_TIMEOUT: "600" },
    hosts: "index.crates.io static.crates.io crates.io",
    caches: "~/.cargo/registry ~/.cargo/git",
    otherFolder: /^--(?:manifest-path|config)/,
    ...tests,
  },
  dotnet: {
    risk: "project",
    files: "Directory.Build.props Directory.Build.targets nuget.config",
    offline: { NUGET_ENHANCED_MAX_NETWORK_TRY_COUNT: "1" },
    asked: { DOTNET_CLI_TELEMETRY_OPTOUT: "1" },
    otherFolder: /^--project/,
    ...tests,
  },
  gem: {
    risk: "project",
    network: downloads,
    hosts: "rubygems.org index.rubygems.org",
    caches: "~/.gem/specs ~/.local/share/gem/specs ~/.cache/gem",
  },
  bundle: {
    risk: "project",
    network: downloads,
    files: "Gemfile .bundle/config",
    starts: { after: "exec" },
    offline: { BUNDLE_RETRY: "0" },
    hosts: "rubygems.org index.rubygems.org",
    caches: "~/.bundle/cache",
  },
  composer: { risk: "project", network: downloads, files: "composer.json", otherFolder: /^-d/ },
  rspec: { files: ".rspec", ...anyTests },
  minitest: anyTests,
  phpunit: { files: "phpunit.xml phpunit.xml.dist", ...anyTests },
  mix: { files: "mix.exs", ...tests },
  rebar3: { files: "rebar.config" },
  stack: { files: "stack.yaml package.yaml" },
  "rustc rustfmt gofmt javac": {},
  "ed ex vi": editor,
  "vim nvim": { ...editor, runs: dottedWords },
  view: speaking,
  // Java and Emacs never read a program from their input.
  emacs: { interprets: "script", inline: /^-/, runs: dottedWords, writes: "operands" },
  "nano pico micro joe": { writes: "operands" },
  "gdb lldb": { ...speaking, runs: dottedWords },
};
