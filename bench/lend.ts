/** Measures reads from a lent folder, with and without a delay of the network, beside the same reads on this machine. */
import { defaultTools } from "@localharness/harness/config/fields";
import { openDesk } from "@localharness/harness/serve/open-desk";
import { openWorkbench } from "@localharness/harness/workbench";
import type { Link } from "@localharness/mcp/elsewhere";
import type { Benchmark } from "./benchmark.ts";
import { delayingProxy } from "./lend/delaying-proxy.ts";
import { type LentPlace, largeName, lendPlace, smallName } from "./lend/lent-place.ts";
import { figureOf, goalLine, showFigure, table } from "./measure/figures.ts";
import { buildLocalHarness } from "./programs/ours.ts";

const reads = 1_000;
const inFlight = 200;
/** The delay of a message to the other machine and back, in milliseconds. */
const roundTripMs = 50;
const goalMs = 2_000;

interface Times {
  readonly small: number[];
  readonly large: number[];
  readonly one: number[];
}

export const benchmark: Benchmark = {
  question: "What do reads from a folder of another machine cost, beside reads on this one?",
  async run({ print, note, runs = 5 }) {
    await using place = await lendPlace(buildLocalHarness(note));
    const here = await measure(note, "on this machine", runs, readerHere(place));
    const near = await measure(note, "lent, no delay", runs, readerOver(await place.link("127.0.0.1")));
    const proxy = await delayingProxy(place.port, roundTripMs / 2);
    const far = await measure(note, `lent, ${roundTripMs} ms`, runs, readerOver(await place.link("[::1]")));
    await proxy.close();
    const row = (name: string, { small, large, one }: Times) => [
      name,
      ...[one, small, large].map((times) => showFigure(figureOf(times), times === one ? 1 : 0)),
    ];
    const head = [
      "ms",
      "one read of 4 KB",
      `${reads} reads of 4 KB, ${inFlight} in flight`,
      "one read of 10 MB",
    ];
    print(
      table(head, [
        row("on this machine", here),
        row("lent, no delay", near),
        row(`lent, ${roundTripMs} ms there and back`, far),
      ]),
    );
    print("");
    const median = figureOf(far.small)?.median ?? Number.NaN;
    const goal = `${reads} reads at ${roundTripMs} ms in less than ${goalMs} ms`;
    print(goalLine(goal, `${median.toFixed(0)} ms`, median < goalMs));
  },
};

interface Reader {
  small(index: number): Promise<void>;
  large(): Promise<void>;
  close(): Promise<void> | void;
}

async function measure(
  note: (line: string) => void,
  name: string,
  runs: number,
  opening: Reader | Promise<Reader>,
): Promise<Times> {
  const reader = await opening;
  const times: Times = { small: [], large: [], one: [] };
  // The first run warms up and does not count.
  for (let run = 0; run <= runs; run += 1) {
    note(`${name}, run ${run}`);
    const one = await timed(() => reader.small(run));
    const small = await timed(() => readMany(reader));
    const large = await timed(() => reader.large());
    if (run === 0) continue;
    times.one.push(one);
    times.small.push(small);
    times.large.push(large);
  }
  await reader.close();
  return times;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

async function readMany(reader: Reader): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < reads) {
      next += 1;
      await reader.small(next);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
}

function readerOver(link: Link): Reader {
  const { signal } = new AbortController();
  return {
    async small(index) {
      const end = await link.call({
        name: "read_file",
        arguments: { path: smallName(index) },
        session: "bench",
        turn: "bench",
        signal,
        ask: async () => undefined,
        report: () => undefined,
      });
      expectText(end.kind === "result" ? (end.result.data ?? "") : end.reason, "1: xxx");
    },
    async large() {
      const listed = await link.look("resources/list", {});
      const resources = listed["resources"] as unknown as readonly { name: string; uri: string }[];
      const uri = resources.find(({ name }) => name === largeName)?.uri ?? "";
      const answer = await link.look("resources/read", { uri });
      const [content] = answer["contents"] as unknown as readonly { text: string }[];
      expectText(content?.text ?? "", "xxx");
    },
    close: () => link.close(),
  };
}

async function readerHere({ folder }: LentPlace): Promise<Reader> {
  const settings = {
    values: { sandbox: "off", "limits.calls_per_minute": 100_000 },
    origins: {},
    folder: undefined,
  };
  const bench = await openWorkbench(settings as never, folder, defaultTools);
  const desk = openDesk({ bench, settings: settings as never, trust: "full", notice: () => undefined });
  return {
    async small(index) {
      const result = await desk.run({ name: "read_file", arguments: { path: smallName(index) } });
      expectText(result.data ?? result.error_message ?? "", "1: xxx");
    },
    async large() {
      let text = "";
      const tool = bench.wholeFile((bytes) => {
        text = new TextDecoder().decode(bytes);
      });
      await tool.execute(
        { path: largeName },
        { callId: "x", signal: new AbortController().signal, report: () => undefined },
      );
      expectText(text, "xxx");
    },
    close: () => bench.close(),
  };
}

function expectText(text: string, beginning: string): void {
  if (!text.startsWith(beginning)) throw new Error(`expected ${beginning}, got ${text.slice(0, 200)}`);
}
