/**
 * Lists the slow test files: `npm run test:slow` and `test:browser` run them, `npm test` runs all others. Also lists the
 * files of `npm run test:attached`.
 */

/** Why a file is slow. `programs`: it starts the whole program dozens of times. */
type Kind =
  | "browser"
  | "faults"
  | "fuzz"
  | "hostile"
  | "installing"
  | "kills"
  | "programs"
  | "race"
  | "terminal";

export interface SlowTest {
  readonly file: string;
  readonly kind: Kind;
}

export const slowTests: readonly SlowTest[] = [
  { file: "packages/store/test/faults/audit-file.test.ts", kind: "faults" },
  { file: "packages/store/test/faults/kept-files.test.ts", kind: "faults" },
  { file: "packages/store/test/faults/kills.test.ts", kind: "kills" },
  { file: "packages/store/test/faults/session-files.test.ts", kind: "faults" },
  { file: "packages/store/test/faults/session-turn.test.ts", kind: "faults" },
  { file: "packages/store/test/faults/undo.test.ts", kind: "faults" },
  { file: "packages/store/test/undo/kills.test.ts", kind: "kills" },
  { file: "packages/mcp/test/peers.test.ts", kind: "programs" },
  { file: "packages/detect/test/fuzz/fuzz.test.ts", kind: "fuzz" },
  { file: "packages/graph/test/kills.test.ts", kind: "kills" },
  { file: "packages/tools/test/faults/file-tools.test.ts", kind: "faults" },
  { file: "packages/tools/test/git/obeyed-files.test.ts", kind: "hostile" },
  { file: "packages/tools/test/race.test.ts", kind: "race" },
  { file: "packages/tools/test/resources.test.ts", kind: "kills" },
  { file: "packages/tools/test/git/repository-config.test.ts", kind: "hostile" },
  { file: "packages/tools/test/sandbox/shared-placeholders.test.ts", kind: "kills" },
  { file: "packages/tools/test/workspace/fuzz-paths.test.ts", kind: "fuzz" },
  { file: "test/ai-sdk-example.test.ts", kind: "installing" },
  { file: "test/corpus-runner.test.ts", kind: "programs" },
  { file: "test/hostile.test.ts", kind: "hostile" },
  { file: "test/lend.test.ts", kind: "programs" },
  { file: "test/lend-cuts.test.ts", kind: "kills" },
  { file: "test/lend-namespaces.test.ts", kind: "kills" },
  { file: "test/library.test.ts", kind: "browser" },
  { file: "test/loop.test.ts", kind: "programs" },
  { file: "test/scripting.test.ts", kind: "programs" },
  { file: "test/serve-kills.test.ts", kind: "kills" },
  { file: "test/session-kills.test.ts", kind: "kills" },
  { file: "test/terminal-secrets.test.ts", kind: "programs" },
  { file: "test/terminal-state.test.ts", kind: "terminal" },
  { file: "test/terminal-text.test.ts", kind: "programs" },
  { file: "test/terminal/corpus.test.ts", kind: "terminal" },
  { file: "test/terminal/editor.test.ts", kind: "terminal" },
  { file: "test/terminal/hostile.test.ts", kind: "terminal" },
  { file: "test/terminal/interrupt.test.ts", kind: "terminal" },
  { file: "test/terminal/large.test.ts", kind: "terminal" },
  { file: "test/terminal/outside-editor.test.ts", kind: "terminal" },
  { file: "test/terminal/search.test.ts", kind: "terminal" },
  { file: "test/terminal/typed-objection.test.ts", kind: "terminal" },
  { file: "test/transcripts.test.ts", kind: "programs" },
  { file: "test/web/chat.test.ts", kind: "browser" },
  { file: "test/web/composing.test.ts", kind: "browser" },
  { file: "test/web/first-minutes.test.ts", kind: "browser" },
  { file: "test/web/hostile.test.ts", kind: "browser" },
  { file: "test/web/lost-link.test.ts", kind: "browser" },
  { file: "test/web/managing.test.ts", kind: "browser" },
  { file: "test/web/server-questions.test.ts", kind: "browser" },
  { file: "test/web/screens.test.ts", kind: "browser" },
  { file: "test/web/steering.test.ts", kind: "browser" },
];

/** The tests of the screen that also run through a server: `npm run test:attached` runs them with `localharness attach`. */
export const attachedTests: string[] = [
  "test/terminal/calls.test.ts",
  "test/terminal/commands.test.ts",
  "test/terminal/copy.test.ts",
  "test/terminal/interrupt.test.ts",
  "test/terminal/jobs.test.ts",
  "test/terminal/large.test.ts",
  "test/terminal/modes.test.ts",
  "test/terminal/permission.test.ts",
  "test/terminal/plan.test.ts",
  "test/terminal/screen.test.ts",
  "test/terminal/search.test.ts",
  "test/terminal/server-question.test.ts",
  "test/terminal/status.test.ts",
  "test/terminal/typed-objection.test.ts",
];
