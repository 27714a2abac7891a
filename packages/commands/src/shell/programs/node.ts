/** Node, its package managers, and programs that packages install. */
import { anyOf, wordsPattern } from "@localharness/workspace/patterns";
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
const npmHarmless = wordsPattern(
  "^",
  String.raw`-s -q -d -g -D -E -S -O -P -f -y -v --silent --quiet --if-present --ignore-scripts --no-audit
    --no-fund --prefer-offline --offline --no-progress --save --save-dev --save-exact
    --save-optional --save-peer --no-save --production --omit=\w+ --include=\w+ --json --long
    --depth=\d+ --all --global --force --yes --version --help --legacy-peer-deps --package-lock-only
    --no-package-lock --loglevel=\w+ --color=?\w* --no-color --workspaces -ws
    --include-workspace-root --dry-run`,
  "$",
);

const risky = anyOf(
  wordsPattern(
    "^",
    String.raw`-C --dir --cwd --prefix --script-shell --shell --shell-emulator --node-options --userconfig
    --globalconfig --config --config\..* --npmrc --use-yarnrc --use-node-version --global-dir --modules-folder
    --preload -r --require --import --init-module --git --editor --viewer`,
    "(?:=|$)",
  ),
  /^-C./,
);

const testScript = "(?:(?:run|run-script) )?(?:t|test|tst)(?::\\S+)?(?: |$)";
const runner = "(?:vitest|jest|mocha|ava|tap|karma|playwright test|cypress run)(?: |$)";

const manager: Program = {
  risk: "project",
  runs: managerRuns,
  hosts: "registry.npmjs.org",
  network: [
    [/(?:^| )publish(?: |$)/, "publishes a package"],
    [
      wordsPattern(
        String.raw`^(?:-\S+ )*`,
        `view info show v search find ping whoami login adduser logout owner access dist-tag deprecate
    unpublish token profile`,
        "(?: |$)",
      ),
      "talks to a registry",
    ],
    [
      wordsPattern(
        String.raw`^(?!.*--offline)(?:-\S+ )*(?:$|`,
        String.raw`i in install ci add up update upgrade dlx create init(?=\x20[^-]) audit outdated`,
        "(?: |$))",
      ),
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

const npmCache = {
  variable: "npm_config_cache",
  words: wordsPattern(
    String.raw`^(?:-\S+ )*(?:$|`,
    `i in install ci add up update upgrade create init exec x view info show v search find audit
    outdated pack`,
    "(?: |$))",
  ),
} as const;

/** Others that read these variables are `npx` and `pnpm`. */
const npmOffline = {
  npm_config_fetch_retries: "0",
  npm_config_prefer_offline: "true",
  npm_config_audit: "false",
  npm_config_update_notifier: "false",
};

const npmAsked = { npm_config_fetch_timeout: "600000", npm_config_update_notifier: "false" };
/** The variables of tools that report how they are used, or look for news of themselves. */
const quiet = {
  DO_NOT_TRACK: "1",
  NO_UPDATE_NOTIFIER: "1",
  NEXT_TELEMETRY_DISABLED: "1",
  NUXT_TELEMETRY_DISABLED: "1",
  ASTRO_TELEMETRY_DISABLED: "1",
  GATSBY_TELEMETRY_DISABLED: "1",
  STORYBOOK_DISABLE_TELEMETRY: "1",
  TURBO_TELEMETRY_DISABLED: "1",
  CHECKPOINT_DISABLE: "1",
};

export const node: ProgramRows = {
  node: {
    ...nodeLike,
    version: "--version -v",
    asked: { NODE_USE_ENV_PROXY: "1", ...quiet },
    ...tests,
  },
  "nodejs tsx ts-node ts-node-dev tsnd esno jiti vite-node babel-node": nodeLike,
  nodemon: { ...nodeLike, runs: nodemonRuns },
  deno: { ...nodeLike, verb: /^run$/, runs: packageScripts, files: "deno.json deno.jsonc", ...tests },
  npm: {
    ...manager,
    starts: { after: "exec x" },
    asksOptions: { allBut: npmHarmless },
    writes: npmSettings,
    offline: npmOffline,
    asked: npmAsked,
    caches: "~/.npm/_cacache ~/.npm/_logs",
    ownCache: npmCache,
  },
  pnpm: {
    ...manager,
    starts: { after: "exec dlx" },
    asksOptions: { risky },
    writes: npmSettings,
    caches: "~/.cache/pnpm ~/.local/share/pnpm/store",
  },
  yarn: {
    ...manager,
    offline: { YARN_HTTP_RETRY: "0" },
    asked: { YARN_HTTP_TIMEOUT: "600000", YARN_ENABLE_TELEMETRY: "0" },
    hosts: "registry.yarnpkg.com registry.npmjs.org",
    caches: "~/.cache/yarn ~/.yarn/berry/cache",
    ownCache: { variable: "YARN_CACHE_FOLDER", words: /^(?!(?:-\S+ )*(?:run|exec|test|config)(?: |$))/ },
    starts: { after: "exec dlx" },
    asksOptions: { risky },
    writes: settingsIn("~/.yarnrc.yml"),
    achieves: yarnTests,
  },
  bun: {
    ...manager,
    offline: { BUN_CONFIG_HTTP_RETRY_COUNT: "0" },
    caches: "~/.bun/install/cache",
    ownCache: {
      variable: "BUN_INSTALL_CACHE_DIR",
      words: /^(?:-\S+ )*(?:i|install|ci|add|update|x|create)(?: |$)/,
    },
    ...nodeLike,
    verb: /^run$/,
    runs: bunRuns,
    starts: { after: "x" },
    asksOptions: { risky },
    achieves: { kind: "tests-passed", words: new RegExp(`^(?:${testScript}|(?:-\\S+ )*--test)`) },
  },
  npx: {
    ...launcher,
    starts: { flags: launcherFlags, valued: "-p --package", text: "-c --call" },
    ownCache: { ...npmCache, words: /^/ },
  },
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
