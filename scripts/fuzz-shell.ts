/**
 * Fuzzes the policy with command lines, in three ways:
 * - bash parses the lines that the policy allows (`trace.ts`): it may make only approved calls, and create no file.
 * - Calls of ordinary programs that count as read-only really run (`looks.ts`): they must not change their folder.
 * - A file is changed after an answer was remembered (`answers.ts`): if the answer still holds, the command really runs, and
 *   the changed file must not run with it.
 *
 * `npm run fuzz:shell -- [lines] [seed] [answers]`; by default 100,000 lines and seed 1. The second way has a tenth as many
 * calls as there are lines, and so has the third by default. Exits with 1 if there is a breach.
 */
import { answerFolder, checkRuns, fuzzAnswers } from "./fuzz-shell/answers.ts";
import { type AllowedCalls, type Judge, judgeFolder, openJudge } from "./fuzz-shell/judge.ts";
import { fuzzLine } from "./fuzz-shell/lines.ts";
import { changingLines, lookFolder, lookLine } from "./fuzz-shell/looks.ts";
import { createRandom, type Random } from "./fuzz-shell/random.ts";
import { type Traced, traceLines } from "./fuzz-shell/trace.ts";

interface AllowedLine extends AllowedCalls {
  readonly line: string;
}

interface Tally {
  allowed: number;
  /** The number of calls that bash made for allowed lines. */
  ran: number;
  breaches: string[];
  /** The number of sampled lines that were not allowed. */
  sampled: number;
  /** The number of sampled lines that would have run the attack. */
  live: number;
}

const batch = 10_000;
const sampleEvery = 100;

async function fuzzLines(lines: number, random: Random, judge: Judge): Promise<Tally> {
  const tally: Tally = { allowed: 0, ran: 0, breaches: [], sampled: 0, live: 0 };
  for (let done = 0; done < lines; done += batch) {
    const allowed: AllowedLine[] = [];
    const refused: string[] = [];
    for (let count = 0; count < Math.min(batch, lines - done); count += 1) {
      const line = fuzzLine(random);
      const calls = await judge.allowedCalls(line);
      if (calls !== undefined) {
        allowed.push({ line, ...calls });
      } else if (count % sampleEvery === 0) {
        refused.push(line);
      }
    }
    for (const byPatterns of [false, true]) {
      const lot = allowed.filter((one) => one.byPatterns === byPatterns);
      const traced = traceLines(
        lot.map(({ line }) => line),
        byPatterns ? judge.files : undefined,
      );
      tally.breaches.push(...lot.flatMap((one, index) => breachOf(one, traced[index])));
      tally.ran += traced.reduce((sum, { calls }) => sum + calls.length, 0);
    }
    tally.allowed += allowed.length;
    tally.sampled += refused.length;
    tally.live += traceLines(refused).filter(isLive).length;
  }
  return tally;
}

function breachOf(
  { line, calls }: Pick<AllowedLine, "line" | "calls">,
  traced: Traced | undefined,
): readonly string[] {
  const approved = calls.map((words) => JSON.stringify(words));
  for (const words of traced?.calls ?? []) {
    const found = approved.indexOf(JSON.stringify(words));
    if (found === -1) {
      return [`${JSON.stringify(line)} ran ${JSON.stringify(words)}, approved was ${JSON.stringify(calls)}`];
    }
    approved.splice(found, 1);
  }
  return traced === undefined || traced.newFiles !== 0 ? [`${JSON.stringify(line)} created a file`] : [];
}

function isLive({ calls, newFiles }: Traced): boolean {
  return newFiles > 0 || calls.some((words) => words[0] === "touch");
}

/** Throws if the tracer misses a known breach or sees one in a harmless line: then the run proves nothing. */
function checkTracer(): void {
  const lines = ["alpha $(touch PWNED)", "alpha; touch PWNED", "alpha > PWNED", "alpha 'a b'"];
  const seen = traceLines(lines).map(
    (traced, index) =>
      breachOf({ line: lines[index] ?? "", calls: [["alpha"], ["alpha", "a b"]] }, traced).length,
  );
  if (seen.join() !== "1,1,1,0") {
    throw new Error(`of four lines the first three are breaches, but the tracer says ${seen.join()}`);
  }
}

async function fuzzLooks(lines: number, random: Random) {
  const folder = lookFolder();
  const judge = await openJudge(folder);
  const looks: string[] = [];
  try {
    for (let count = 0; count < lines; count += 1) {
      const line = lookLine(random);
      if (await judge.looksOnly(line)) {
        looks.push(line);
      }
    }
    return { looks: looks.length, changing: changingLines(looks, folder) };
  } finally {
    await judge.close();
  }
}

async function fuzzChanges(lines: number, random: Random) {
  const folder = answerFolder();
  checkRuns(folder);
  const judge = await openJudge(folder);
  const start = performance.now();
  try {
    const tally = await fuzzAnswers(lines, random, judge, folder);
    return { ...tally, perSecond: Math.round((lines * 1000) / (performance.now() - start)) };
  } finally {
    await judge.close();
  }
}

if (import.meta.main) {
  const lines = Number(process.argv[2] ?? "100000");
  const random = createRandom(Number(process.argv[3] ?? "1"));
  checkTracer();
  const judge = await openJudge(judgeFolder());
  const tally = await fuzzLines(lines, random, judge).finally(() => judge.close());
  const { looks, changing } = await fuzzLooks(Math.ceil(lines / 10), random);
  const answers = await fuzzChanges(Number(process.argv[4] ?? Math.ceil(lines / 10)), random);
  const breaches = [
    ...tally.breaches,
    ...answers.breaches,
    ...changing.map((line) => `${JSON.stringify(line)} changed the folder`),
  ];
  for (const breach of breaches.slice(0, 20)) {
    process.stdout.write(`breach: ${breach}\n`);
  }
  process.stdout.write(
    `bash made ${tally.ran} calls for allowed lines; of ${tally.sampled} that were not allowed, ${tally.live} would have run the attack\n` +
      `of ${Math.ceil(lines / 10)} calls of ordinary programs ${looks} counted as read-only, ${changing.length} of them changed something\n` +
      `${answers.held} answers held after a file had changed (${answers.perSecond} lines a second); ${answers.ran} commands ran to prove it, ${answers.breaches.length} ran the change\n` +
      `fuzz-shell: ${lines} lines, ${tally.allowed} allowed, ${breaches.length} breaches\n`,
  );
  process.exitCode = breaches.length === 0 ? 0 : 1;
}
