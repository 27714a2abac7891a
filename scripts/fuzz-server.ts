/**
 * Sends mutated requests and frames over raw sockets to a real `localharness serve`: `npm run fuzz:server -- [--seconds N]
 * [--seed N]`. Fails when the server ends, reports a bug, answers late or keeps growing.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { startModelServer, textReply } from "./corpus/attacks/model-server.ts";
import { makePlace } from "./corpus/attacks/place.ts";
import { buildProgram } from "./corpus/attacks/program.ts";
import { type ServedProgram, startServed } from "./corpus/attacks/served.ts";
import { randomFrom } from "./fuzz-server/random.ts";
import { sendCase } from "./fuzz-server/send-case.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: String(Date.now() % 1e6) },
  },
});
const lanes = 8;
/** The growth of memory between the second and the last third of a run that counts as a leak. */
const maxGrowthMb = 48;
const maxHealthMs = 5_000;

interface Sample {
  readonly rssMb: number;
  readonly files: number;
  readonly healthMs: number;
}

/** The sample for a moment at which the rate limit refused the health request. */
const notSampled: Sample = { rssMb: 0, files: 0, healthMs: 0 };

process.exitCode = await main(Number(values.seconds), Number(values.seed));

async function main(seconds: number, seed: number): Promise<number> {
  using program = await buildProgram();
  using place = makePlace("");
  await using model = await startModelServer(() => textReply("Yes."));
  const options = { program: program.start, sandbox: "off", limitMs: 30_000 } as const;
  const served = await startServed(place, `http://127.0.0.1:${model.port}/v1`, options);
  const end = performance.now() + seconds * 1_000;
  const counts = new Map<string, number>();
  const samples: Sample[] = [];
  let isDown = false;
  const lane = async (number: number) => {
    const random = randomFrom(seed + number);
    while (performance.now() < end && !isDown) {
      const outcome = await sendCase(served, random);
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    }
  };
  const watch = async () => {
    while (performance.now() < end && !isDown) {
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      const sample = await sampleOf(served);
      if (sample === undefined) isDown = true;
      else samples.push(sample);
      await closeSessions(served).catch(() => undefined);
    }
  };
  await Promise.all([...Array.from({ length: lanes }, (_, at) => lane(at)), watch()]);
  const ended = isDown
    ? { code: served.child.exitCode, signal: served.child.signalCode, hung: false }
    : await served.end();
  return report({ seed, counts, samples, errors: served.printed().errors, ended });
}

async function sampleOf({ port, child }: ServedProgram): Promise<Sample | undefined> {
  const from = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}/health`, {
    signal: AbortSignal.timeout(20_000),
  }).catch(() => undefined);
  const folder = `/proc/${child.pid}`;
  if (response?.status === 429) return notSampled;
  if (response?.status !== 200 || !existsSync(folder)) return undefined;
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`${folder}/status`, "utf8"))?.[1];
  return {
    rssMb: Number(kilobytes) / 1024,
    files: readdirSync(`${folder}/fd`).length,
    healthMs: performance.now() - from,
  };
}

async function closeSessions(served: ServedProgram): Promise<void> {
  const { open } = (await served.api("GET", "/api/hub")) as {
    readonly open: readonly { readonly id: string }[];
  };
  for (const { id } of open) await served.api("POST", `/api/sessions/${id}/close`, {});
}

interface Outcome {
  readonly seed: number;
  readonly counts: ReadonlyMap<string, number>;
  readonly samples: readonly Sample[];
  readonly errors: string;
  readonly ended: { readonly code: number | null; readonly signal: string | null; readonly hung: boolean };
}

function report({ seed, counts, samples, errors, ended }: Outcome): number {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  console.log(`seed ${seed}: ${total} connections`);
  for (const [outcome, count] of [...counts].toSorted()) console.log(`  ${outcome.padEnd(28)}${count}`);
  const real = samples.filter(({ rssMb }) => rssMb > 0);
  const third = Math.floor(real.length / 3);
  const first = medianOf(real.slice(0, third));
  const middle = medianOf(real.slice(third, 2 * third));
  const last = medianOf(real.slice(2 * third));
  const slowest = Math.max(0, ...real.map(({ healthMs }) => healthMs));
  const thirds = [first, middle, last].map((mb) => mb.toFixed(0)).join(", ");
  console.log(`memory: ${thirds} MB in the three thirds`);
  console.log(`open files at the end: ${real.at(-1)?.files ?? 0}; slowest /health: ${slowest.toFixed(0)} ms`);
  const problems = [
    ...(ended.code === 0 && !ended.hung ? [] : [`the server ended with ${ended.signal ?? ended.code}`]),
    ...(last - middle > maxGrowthMb ? [`memory grew by ${(last - middle).toFixed(0)} MB`] : []),
    ...(slowest > maxHealthMs ? [`/health took ${slowest.toFixed(0)} ms`] : []),
    ...(/^\s+at .*:\d+:\d+/m.test(errors) ? [`the server reported a bug:\n${errors.slice(-3_000)}`] : []),
  ];
  for (const problem of problems) console.log(`FAILED: ${problem}`);
  console.log(problems.length === 0 ? "held" : "failed");
  return problems.length === 0 ? 0 : 1;
}

function medianOf(samples: readonly Sample[]): number {
  const sorted = samples.map(({ rssMb }) => rssMb).toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
