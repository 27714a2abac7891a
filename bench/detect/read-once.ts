/** One case in a process of its own, so that its memory and its compiled code are its own: prints an `Outcome`. */

import type { CaseRequest, Outcome } from "./measure-case.ts";
import { createReader } from "./readers.ts";
import { makeArguments, makeText, type Text } from "./texts.ts";

function textOf({ reader, shape, format, length }: CaseRequest): Text {
  if (reader !== "jsonrepair" && reader !== "partial-json") return makeText(shape, format, length);
  return { text: makeArguments(length), calls: 1 };
}

async function main(request: CaseRequest): Promise<Outcome> {
  const { text, calls } = textOf(request);
  const read = await createReader(request.reader, request.peers);
  const times: number[] = [];
  const found = new Set<number>();
  const time = async () => {
    const start = performance.now();
    found.add(await read(text));
    return performance.now() - start;
  };
  const first = await time();
  const peakKib = process.resourceUsage().maxRSS;
  const end = performance.now() + request.budgetMs;
  // A first run that used up the budget is taken as it is: what is so slow does not depend on a warm start.
  if (first > request.budgetMs) times.push(first);
  while (times.length < request.runs && (times.length === 0 || performance.now() < end))
    times.push(await time());
  const wrong = calls !== undefined && [...found].some((count) => count !== calls);
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  return {
    type: "measured",
    length: text.length,
    times: first > request.budgetMs ? times.slice(0, 1) : times,
    peakKib,
    cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
    problem: wrong ? `found ${[...found].join(" or ")} calls, not ${calls}` : "",
  };
}

const request = JSON.parse(process.argv[2] ?? "{}") as CaseRequest;
process.stdout.write(JSON.stringify(await main(request)));
