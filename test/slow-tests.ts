/** The test files that take long, one a line: `npm run test:slow` runs them, `npm test` all the others. */

type Kind = "kills" | "race" | "fuzz" | "hostile" | "browser" | "faults" | "strace" | "terminal" | "program";

interface SlowTest {
  readonly file: string;
  readonly kind: Kind;
}

export const slowTests: readonly SlowTest[] = [
  { file: "packages/tools/test/race.test.ts", kind: "race" },
  { file: "packages/tools/test/resources.test.ts", kind: "kills" },
  { file: "packages/cli/test/faults/kills.test.ts", kind: "kills" },
  { file: "packages/cli/test/undo/kills.test.ts", kind: "kills" },
  { file: "test/session-kills.test.ts", kind: "kills" },
  { file: "test/hostile.test.ts", kind: "hostile" },
];
