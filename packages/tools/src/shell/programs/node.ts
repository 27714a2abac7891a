/** Node, its package managers, and programs that packages install. */
import { anyTests, type Program, type ProgramRows, tests, type Words } from "./program.ts";
import {
  bunRuns,
  inFolders,
  managerRuns,
  nodemonRuns,
  nodeRuns,
  nodeWords,
  packageRuns,
  packageScripts,
} from "./run-files.ts";
import { asWritten } from "./written.ts";

/** Matches options of npm that need no question. All others do, because npm has many settings and accepts abbreviations. */
const npmHarmless =
  /^(?:-s|-q|-d|-g|-D|-E|-S|-O|-P|-f|-y|-v|--silent|--quiet|--if-present|--ignore-scripts|--no-audit|--no-fund|--prefer-offline|--offline|--no-progress|--save|--save-dev|--save-exact|--save-optional|--save-peer|--no-save|--production|--omit=\w+|--include=\w+|--json|--long|--depth=\d+|--all|--global|--force|--yes|--version|--help|--legacy-peer-deps|--package-lock-only|--no-package-lock|--loglevel=\w+|--color=?\w*|--no-color|--workspaces|-ws|--include-workspace-root|--dry-run)$/;

const risky =
  /^(?:-C|--dir|--cwd|--prefix|--script-shell|--shell|--shell-emulator|--node-options|--userconfig|--globalconfig|--config|--config\..*|--npmrc|--use-yarnrc|--use-node-version|--global-dir|--modules-folder|--preload|-r|--require|--import|--init-module|--git|--editor|--viewer)(?:=|$)|^-C./;

const testScript = "(?:(?:run|run-script) )?(?:t|test|tst)(?::\\S+)?(?: |$)";
const runner = "(?:vitest|jest|mocha|ava|tap|karma|playwright test|cypress run)(?: |$)";

const manager: Program = {
  risk: "project",
  runs: managerRuns,
  network: [
    [/(?:^| )publish(?: |$)/, "publishes a package"],
    [
      /^(?!.*--offline)(?:-\S+ )*(?:$|(?:i|in|install|ci|add|up|update|upgrade|dlx|create|init(?= [^-])|audit|outdated)(?: |$))/,
      "downloads packages",
    ],
  ],
  achieves: { kind: "tests-passed", words: new RegExp(`^${testScript}`) },
};
const yarnTests = { kind: "tests-passed", words: new RegExp(`^(?:${testScript}|${runner})`) } as const;
const launcherFlags = "-y -q -s --yes --no --no-install --quiet --silent --bun";
const launcher: Program = { runs: packageRuns, starts: { flags: launcherFlags } };
const nodeLike: Program = { interprets: "script", ...nodeWords, runs: nodeRuns };

const endings = (stem: string, more = "") =>
  `js mjs cjs ts mts cts ${more}`.trim().replace(/\w+/g, `${stem}.$&`);

/** Returns the writes of a manager: its file of settings if a call changes settings, because some decide how scripts run. */
const settingsIn = (file: string) => (args: Words) => {
  const operands = args.filter((word) => !word.startsWith("-"));
  const sets = /^(?:config|c) (?:set|edit|delete)(?: |$)|^set /.test(`${operands.join(" ")} `);
  return sets ? [asWritten(file)] : [];
};
const npmSettings = settingsIn("~/.npmrc");

export const node: ProgramRows = {
  node: { ...nodeLike, version: "--version -v", ...tests },
  "nodejs tsx ts-node ts-node-dev tsnd esno jiti vite-node babel-node": nodeLike,
  nodemon: { ...nodeLike, runs: nodemonRuns },
  deno: { ...nodeLike, verb: /^run$/, runs: packageScripts, files: "deno.json deno.jsonc", ...tests },
  npm: { ...manager, starts: { after: "exec x" }, asksOptions: { allBut: npmHarmless }, writes: npmSettings },
  pnpm: { ...manager, starts: { after: "exec dlx" }, asksOptions: { risky }, writes: npmSettings },
  yarn: {
    ...manager,
    starts: { after: "exec dlx" },
    asksOptions: { risky },
    writes: settingsIn("~/.yarnrc.yml"),
    achieves: yarnTests,
  },
  bun: {
    ...manager,
    ...nodeLike,
    verb: /^run$/,
    runs: bunRuns,
    starts: { after: "x" },
    asksOptions: { risky },
    achieves: { kind: "tests-passed", words: new RegExp(`^(?:${testScript}|(?:-\\S+ )*--test)`) },
  },
  npx: { ...launcher, starts: { flags: launcherFlags, valued: "-p --package", text: "-c --call" } },
  "pnpx bunx": launcher,
  "npm-run-all run-s run-p concurrently": { runs: packageScripts },
  turbo: { files: "turbo.json", runs: inFolders },
  nx: { files: "nx.json", runs: inFolders },
  "lerna rush wireit moon lage": { runs: inFolders },
  vite: { files: endings("vite.config") },
  vitest: { files: `${endings("vitest.config")} ${endings("vite.config")}`, ...anyTests },
  jest: { files: endings("jest.config", "json"), ...anyTests },
  mocha: { files: ".mocharc.js .mocharc.cjs .mocharc.json .mocharc.yml .mocharc.yaml", ...anyTests },
  "ava tap karma": anyTests,
  playwright: {
    files: endings("playwright.config"),
    achieves: { kind: "tests-passed", words: /^test(?: |$)/ },
  },
  cypress: { achieves: { kind: "tests-passed", words: /^run(?: |$)/ } },
  eslint: {
    files: `${endings("eslint.config")} .eslintrc.js .eslintrc.cjs .eslintrc.json .eslintrc.yml .eslintrc.yaml .eslintrc`,
  },
  prettier: {
    files: `.prettierrc ${endings(".prettierrc", "json json5 yaml yml toml")} ${endings("prettier.config")}`,
  },
  webpack: { files: endings("webpack.config") },
  rollup: { files: endings("rollup.config") },
  next: { files: endings("next.config") },
  gulp: { files: "gulpfile.js gulpfile.mjs gulpfile.ts" },
  grunt: { files: "Gruntfile.js" },
  "tsc esbuild": { outputOption: true },
  "biome oxlint": {},
};
