/**
 * Lists the test files that `npm test` leaves out: `npm run test:slow` runs the slow ones, `test:browser` those in a browser.
 * Also lists the files of `npm run test:attached`.
 */

/** Why a file is slow. `processes`: it starts git, a sandbox or an index dozens of times; `programs`: the whole program. */
type Kind =
  | "faults"
  | "fuzz"
  | "hostile"
  | "installing"
  | "kills"
  | "processes"
  | "programs"
  | "race"
  | "terminal";

export interface SlowTest {
  readonly file: string;
  readonly kind: Kind;
  /** About how long the file takes on a machine that does nothing else. */
  readonly seconds: number;
}

export const slowTests: readonly SlowTest[] = [
  { file: "packages/detect/test/detector.test.ts", kind: "fuzz", seconds: 9 },
  { file: "packages/detect/test/fuzz/fuzz.test.ts", kind: "fuzz", seconds: 2 },
  { file: "packages/graph/test/bad-sources.test.ts", kind: "hostile", seconds: 7 },
  { file: "packages/graph/test/kills.test.ts", kind: "kills", seconds: 66 },
  { file: "packages/harness/test/graph/offer-graph.test.ts", kind: "processes", seconds: 4 },
  { file: "packages/harness/test/graph/vectors.test.ts", kind: "processes", seconds: 6 },
  { file: "packages/mcp/test/peers.test.ts", kind: "programs", seconds: 30 },
  { file: "packages/store/test/faults/audit-file.test.ts", kind: "faults", seconds: 1 },
  { file: "packages/store/test/faults/kept-files.test.ts", kind: "faults", seconds: 5 },
  { file: "packages/store/test/faults/kills.test.ts", kind: "kills", seconds: 4 },
  { file: "packages/store/test/faults/session-files.test.ts", kind: "faults", seconds: 2 },
  { file: "packages/store/test/faults/session-turn.test.ts", kind: "faults", seconds: 2 },
  { file: "packages/store/test/faults/undo.test.ts", kind: "faults", seconds: 7 },
  { file: "packages/store/test/undo/kills.test.ts", kind: "kills", seconds: 15 },
  { file: "packages/store/test/undo/undo-commands.test.ts", kind: "processes", seconds: 4 },
  { file: "packages/tools/test/diagnostics/diagnostics.test.ts", kind: "processes", seconds: 10 },
  { file: "packages/tools/test/faults/file-tools.test.ts", kind: "faults", seconds: 12 },
  { file: "packages/tools/test/git/obeyed-files.test.ts", kind: "hostile", seconds: 21 },
  { file: "packages/workspace/test/git-files/repository-config.test.ts", kind: "hostile", seconds: 5 },
  { file: "packages/tools/test/git/run-git.test.ts", kind: "processes", seconds: 9 },
  { file: "packages/tools/test/git/stored-paths.test.ts", kind: "processes", seconds: 3 },
  { file: "packages/tools/test/race.test.ts", kind: "race", seconds: 8 },
  { file: "packages/tools/test/resources.test.ts", kind: "kills", seconds: 24 },
  { file: "packages/tools/test/sandbox/added-folders-in-sandbox.test.ts", kind: "processes", seconds: 4 },
  { file: "packages/tools/test/sandbox/ask-for-hosts.test.ts", kind: "processes", seconds: 6 },
  { file: "packages/tools/test/sandbox/commit-in-sandbox.test.ts", kind: "processes", seconds: 8 },
  { file: "packages/tools/test/sandbox/git-in-sandbox.test.ts", kind: "processes", seconds: 5 },
  { file: "packages/tools/test/sandbox/install-in-sandbox.test.ts", kind: "processes", seconds: 12 },
  { file: "packages/tools/test/sandbox/job-ports.test.ts", kind: "processes", seconds: 12 },
  { file: "packages/processes/test/sandbox/open-sandbox.test.ts", kind: "processes", seconds: 15 },
  { file: "packages/tools/test/sandbox/repository-in-sandbox.test.ts", kind: "processes", seconds: 6 },
  { file: "packages/tools/test/sandbox/shared-placeholders.test.ts", kind: "kills", seconds: 2 },
  { file: "packages/processes/test/sandbox/writable-folders.test.ts", kind: "processes", seconds: 2 },
  { file: "packages/tools/test/snapshots/unnamed-files.test.ts", kind: "processes", seconds: 7 },
  { file: "packages/tools/test/tools/read-output.test.ts", kind: "processes", seconds: 7 },
  { file: "packages/tools/test/workspace/fuzz-paths.test.ts", kind: "fuzz", seconds: 15 },
  { file: "test/added-folders.test.ts", kind: "programs", seconds: 15 },
  { file: "test/ai-sdk-example.test.ts", kind: "installing", seconds: 2 },
  { file: "test/answer-limits.test.ts", kind: "programs", seconds: 5 },
  { file: "test/chat-in-terminal.test.ts", kind: "terminal", seconds: 15 },
  { file: "test/corpus-runner.test.ts", kind: "programs", seconds: 30 },
  { file: "test/curator.test.ts", kind: "programs", seconds: 5 },
  { file: "test/doctor-window.test.ts", kind: "programs", seconds: 5 },
  { file: "test/doctor.test.ts", kind: "programs", seconds: 14 },
  { file: "test/driven.test.ts", kind: "programs", seconds: 6 },
  { file: "test/hostile.test.ts", kind: "hostile", seconds: 75 },
  { file: "test/index-command.test.ts", kind: "programs", seconds: 4 },
  { file: "test/lend-cuts.test.ts", kind: "kills", seconds: 13 },
  { file: "test/lend-namespaces.test.ts", kind: "kills", seconds: 2 },
  { file: "test/lend.test.ts", kind: "programs", seconds: 34 },
  { file: "test/loop.test.ts", kind: "programs", seconds: 10 },
  { file: "test/mcp-login.test.ts", kind: "programs", seconds: 7 },
  { file: "test/mcp-places.test.ts", kind: "programs", seconds: 8 },
  { file: "test/mcp-questions.test.ts", kind: "programs", seconds: 8 },
  { file: "test/mcp-real-servers.test.ts", kind: "programs", seconds: 7 },
  { file: "test/mcp-sampling.test.ts", kind: "programs", seconds: 4 },
  { file: "test/mcp-serve-http.test.ts", kind: "programs", seconds: 8 },
  { file: "test/mcp-serve.test.ts", kind: "programs", seconds: 13 },
  { file: "test/mcp.test.ts", kind: "programs", seconds: 13 },
  { file: "test/one-gpu.test.ts", kind: "programs", seconds: 3 },
  { file: "test/overhead-counts.test.ts", kind: "programs", seconds: 16 },
  { file: "test/plan.test.ts", kind: "programs", seconds: 6 },
  { file: "test/policy-command.test.ts", kind: "programs", seconds: 7 },
  { file: "test/recovery-ladder.test.ts", kind: "programs", seconds: 5 },
  { file: "test/repository-map.test.ts", kind: "programs", seconds: 4 },
  { file: "test/sandbox-hosts.test.ts", kind: "programs", seconds: 8 },
  { file: "test/scripting.test.ts", kind: "programs", seconds: 14 },
  { file: "test/serve-end.test.ts", kind: "programs", seconds: 8 },
  { file: "test/serve-events.test.ts", kind: "programs", seconds: 2 },
  { file: "test/serve-impostor.test.ts", kind: "programs", seconds: 3 },
  { file: "test/serve-kills.test.ts", kind: "kills", seconds: 8 },
  { file: "test/serve-open.test.ts", kind: "programs", seconds: 3 },
  { file: "test/serve-questions.test.ts", kind: "programs", seconds: 3 },
  { file: "test/serve-webhook.test.ts", kind: "programs", seconds: 4 },
  { file: "test/session-kills.test.ts", kind: "kills", seconds: 7 },
  { file: "test/small-window.test.ts", kind: "programs", seconds: 9 },
  { file: "test/templates-runner.test.ts", kind: "programs", seconds: 6 },
  { file: "test/terminal-secrets.test.ts", kind: "programs", seconds: 13 },
  { file: "test/terminal-state.test.ts", kind: "terminal", seconds: 2 },
  { file: "test/terminal-text.test.ts", kind: "programs", seconds: 13 },
  { file: "test/terminal/attach.test.ts", kind: "terminal", seconds: 4 },
  { file: "test/terminal/calls.test.ts", kind: "terminal", seconds: 8 },
  { file: "test/terminal/commands.test.ts", kind: "terminal", seconds: 10 },
  { file: "test/terminal/corpus.test.ts", kind: "terminal", seconds: 10 },
  { file: "test/terminal/editor.test.ts", kind: "terminal", seconds: 9 },
  { file: "test/terminal/first-minutes.test.ts", kind: "terminal", seconds: 8 },
  { file: "test/terminal/hostile.test.ts", kind: "terminal", seconds: 3 },
  { file: "test/terminal/images.test.ts", kind: "terminal", seconds: 3 },
  { file: "test/terminal/interrupt.test.ts", kind: "terminal", seconds: 5 },
  { file: "test/terminal/jobs.test.ts", kind: "terminal", seconds: 4 },
  { file: "test/terminal/large.test.ts", kind: "terminal", seconds: 7 },
  { file: "test/terminal/model-choice.test.ts", kind: "terminal", seconds: 6 },
  { file: "test/terminal/outside-editor.test.ts", kind: "terminal", seconds: 2 },
  { file: "test/terminal/permission.test.ts", kind: "terminal", seconds: 27 },
  { file: "test/terminal/plain-words.test.ts", kind: "terminal", seconds: 9 },
  { file: "test/terminal/plan.test.ts", kind: "terminal", seconds: 10 },
  { file: "test/terminal/rewind.test.ts", kind: "terminal", seconds: 6 },
  { file: "test/terminal/search.test.ts", kind: "terminal", seconds: 1 },
  { file: "test/terminal/server-question.test.ts", kind: "terminal", seconds: 3 },
  { file: "test/terminal/typed-objection.test.ts", kind: "terminal", seconds: 5 },
  { file: "test/terminal/undo.test.ts", kind: "terminal", seconds: 3 },
  { file: "test/transcripts.test.ts", kind: "programs", seconds: 31 },
  { file: "test/web.test.ts", kind: "programs", seconds: 9 },
];

/** Tests in a browser, which needs a processor for itself: they run one after another, in every CI run. */
export const browserTests: string[] = [
  "test/library.test.ts",
  "test/web/chat.test.ts",
  "test/web/composing.test.ts",
  "test/web/first-minutes.test.ts",
  "test/web/hostile.test.ts",
  "test/web/lost-link.test.ts",
  "test/web/managing.test.ts",
  "test/web/rewind.test.ts",
  "test/web/screens.test.ts",
  "test/web/server-questions.test.ts",
  "test/web/steering.test.ts",
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
  "test/terminal/undo.test.ts",
];

/** CI runs the slow files of one third each day. */
export type Third = 1 | 2 | 3;

/** Returns the slow files of a third, `1` to `3`, or all of them when `third` is undefined. Throws for another text. */
export function slowFiles(third?: string): string[] {
  if (third === undefined) return slowTests.map(({ file }) => file);
  if (!/^[123]$/.test(third)) {
    throw new Error(`LOCALHARNESS_THIRD is "${third}": expected 1, 2 or 3, or nothing for all slow tests`);
  }
  return slowThirds()[Number(third) - 1]?.map(({ file }) => file) ?? [];
}

/** Returns the slow tests in three lists that take about the same time: the longest go first, each into the shortest list. */
export function slowThirds(): readonly (readonly SlowTest[])[] {
  const thirds: SlowTest[][] = [[], [], []];
  for (const slow of slowTests.toSorted((one, other) => other.seconds - one.seconds)) {
    const [shortest] = thirds.toSorted((one, other) => secondsOf(one) - secondsOf(other));
    shortest?.push(slow);
  }
  return thirds;
}

/** Returns the sum of the seconds. */
export function secondsOf(tests: readonly SlowTest[]): number {
  return tests.reduce((sum, { seconds }) => sum + seconds, 0);
}

/** Returns the third that CI runs on this day. Three days in a row have all three, also at the end of a year. */
export function thirdOn(day: Date): Third {
  const days = Math.floor(day.getTime() / 86_400_000);
  return ([1, 2, 3] as const)[days % 3] ?? 1;
}
