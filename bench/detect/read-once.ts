/** Measures one case in a separate process, with separate memory and compiled code, and prints an `Outcome`. */
import type { CaseRequest, Outcome } from "./measure-case.ts";
import { createReader } from "./readers.ts";
import { makeArguments, makeText, type Text } from "./texts.ts";

const warmUpMs = 300;

function textOf({ reader, shape, format, length }: CaseRequest): Text {
  if (reader !== "jsonrepair" && reader !== "partial-json") return makeText(shape, format, length);
  return { text: makeArguments(length), calls: 1 };
}

async function main(request: CaseRequest): Promise<Outcome> {
  const { text, calls } = textOf(request);
  const read = await createReader(request.reader, request.peers);
  const found = new Set<number>();
  const time = async () => {
    const start = performance.now();
    const count = await read(text);
    if (count !== undefined) found.add(count);
    return performance.now() - start;
  };
  const first = await time();
  const peakKib = process.resourceUsage().maxRSS;
  const times = first > request.budgetMs ? [first] : await timeWarm(time, first, request);
  const wrong = calls !== undefined && [...found].some((count) => count !== calls);
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  return {
    type: "measured",
    length: text.length,
    first,
    times,
    peakKib,
    cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
    problem: wrong ? `found ${[...found].join(" or ")} calls, not ${calls}` : "",
  };
}

/** Runs the reader until its code is compiled, then returns the milliseconds of each counted run. */
async function timeWarm(
  time: () => Promise<number>,
  first: number,
  { runs, budgetMs }: CaseRequest,
): Promise<number[]> {
  const warm = performance.now() + warmUpMs - first;
  while (performance.now() < warm) await time();
  const end = performance.now() + budgetMs;
  const times = [await time()];
  while (times.length < runs && performance.now() < end) times.push(await time());
  return times;
}

const request = JSON.parse(process.argv[2] ?? "{}") as CaseRequest;
process.stdout.write(JSON.stringify(await main(request)));
