/** What a call of a test runner has achieved when it ended well, for rows of the table. */
import type { Program } from "./program.ts";

/** For programs of which a word says that they run tests: `make test`, `node --test`. */
export const tests: Program = {
  achieves: { kind: "tests-passed", words: /^(?:-\S+ )*(?:--)?(?:test|check|verify)(?: |$)/ },
};

export const anyTests: Program = { achieves: { kind: "tests-passed", words: /^/ } };
