/**
 * Fuzzes the detector with mutated texts in all formats. No text may crash it, give other events if it comes in pieces, lose
 * a word, give an invented call, give events in a wrong order, or take too long (`run-cases.ts`). Seed and index determine a
 * case.
 *
 *     npm run fuzz -- [--seed 7] [--runs 1000000] [--workers 2] [--from INDEX] [--only INDEX]
 */
import { parseArgs } from "node:util";
import { type Failure, formatFailure } from "./fuzz/failure.ts";
import { checkOne, type Tally } from "./fuzz/run-cases.ts";
import { runWorkers } from "./fuzz/run-workers.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "7" },
    runs: { type: "string", default: "1000000" },
    workers: { type: "string", default: "2" },
    from: { type: "string", default: "0" },
    only: { type: "string" },
  },
});

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  console.error(`--${name} must be a whole number of 0 or more, got ${JSON.stringify(text)}.`);
  process.exit(2);
}

function summary(tally: Tally): string {
  const { runs, found } = tally;
  return [
    `fuzz: ${runs} mutations`,
    `${found.crash} crashes`,
    `${found.split} split differences`,
    `${found.lost} lost texts`,
    `${found.invented} invented`,
    `${found.disorder} out of order`,
    `${found.slow} slow`,
  ].join(", ");
}

function printAllowed(tally: Tally): void {
  const rows = [...tally.allowed].sort((left, right) => right[1] - left[1]);
  if (rows.length > 0) console.log("Words left out by documented readings:");
  for (const [reading, count] of rows) console.log(`${String(count).padStart(9)}  ${reading}`);
}

async function main(): Promise<number> {
  const seed = wholeNumber("seed", values.seed);
  if (values.only !== undefined) {
    const failure = checkOne(seed, wholeNumber("only", values.only));
    console.log(failure ? formatFailure(failure) : "Nothing is wrong with this case.");
    return failure ? 1 : 0;
  }
  const start = performance.now();
  const tally = await runWorkers({
    seed,
    from: wholeNumber("from", values.from),
    runs: wholeNumber("runs", values.runs),
    workers: Math.max(1, wholeNumber("workers", values.workers)),
    onFailure: (failure: Failure) => console.log(formatFailure(failure)),
    onProgress: (done) => {
      const seconds = (performance.now() - start) / 1000;
      console.log(`${done} mutations in ${seconds.toFixed(0)} s, ${(done / seconds).toFixed(0)} a second`);
    },
  });
  printAllowed(tally);
  console.log(summary(tally));
  return Object.values(tally.found).some((count) => count > 0) ? 1 : 0;
}

process.exitCode = await main();
