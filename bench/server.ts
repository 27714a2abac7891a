/** Measures `localharness serve` under load: many sessions with a watcher each, and one session with many watchers. */
import { readFileSync } from "node:fs";
import { makePlace } from "../scripts/corpus/attacks/place.ts";
import { buildProgram } from "../scripts/corpus/attacks/program.ts";
import { type ServedProgram, startServed } from "../scripts/corpus/attacks/served.ts";
import type { Benchmark, BenchOptions } from "./benchmark.ts";
import { table } from "./measure/figures.ts";
import { type Client, openSession, startSlowReader, watch } from "./server/clients.ts";
import { startTokens } from "./server/tokens.ts";

const defaults = { sessions: 1_000, seconds: 300 };
const turnMs = 10_000;
const watchers = 200;

export const benchmark: Benchmark = {
  question: "What does a server cost with many sessions, and with many watchers of one?",
  async run(options) {
    using program = await buildProgram();
    using place = makePlace("");
    await using model = await startTokens();
    const settings = { program: program.start, sandbox: "off", limitMs: 60_000 } as const;
    const served = await startServed(place, model.baseUrl, settings);
    try {
      await manySessions(served, options);
      await manyWatchers(served, options);
    } finally {
      await served.end();
    }
  },
};

async function manySessions(served: ServedProgram, { print, note, ...given }: BenchOptions): Promise<void> {
  const { sessions = defaults.sessions, seconds = defaults.seconds } = given;
  const base = memoryMb(served);
  note(`opening ${sessions} sessions`);
  const clients: Client[] = [];
  for (let count = 0; count < sessions; count += 1)
    clients.push(await watch(served, await openSession(served)));
  const open = memoryMb(served);
  note(`turns for ${seconds} s`);
  const end = performance.now() + seconds * 1_000;
  await Promise.all(
    clients.map((client, at) => turns(served, client, { first: (at / sessions) * turnMs, end })),
  );
  const after = memoryMb(served);
  for (const client of clients) client.close();
  const delays = clients.flatMap((client) => client.delays);
  const sum = (count: (client: Client) => number) => clients.reduce((all, client) => all + count(client), 0);
  print(
    table(
      [
        "sessions",
        "turns",
        "events",
        "errors",
        "delay p50",
        "delay p99",
        "MB at first",
        "MB opened",
        "MB after",
      ],
      [
        [
          String(sessions),
          String(sum(({ ended }) => ended)),
          String(sum(({ events }) => events)),
          String(sum(({ errors }) => errors)),
          `${quantile(delays, 0.5)} ms`,
          `${quantile(delays, 0.99)} ms`,
          base.toFixed(0),
          open.toFixed(0),
          after.toFixed(0),
        ],
      ],
    ),
  );
}

/** Begins a turn every ten seconds. If the previous turn takes longer, begins when that turn has ended. */
async function turns(
  served: ServedProgram,
  client: Client,
  { first, end }: { readonly first: number; readonly end: number },
): Promise<void> {
  await pause(first);
  while (performance.now() < end) {
    const from = performance.now();
    await client.turn(served);
    await pause(Math.max(0, turnMs - (performance.now() - from)));
  }
}

async function manyWatchers(served: ServedProgram, { print, note }: BenchOptions): Promise<void> {
  note(`${watchers} watchers of one session`);
  const id = await openSession(served);
  const clients = await Promise.all(Array.from({ length: watchers - 1 }, () => watch(served, id)));
  const slow = await startSlowReader(served, id);
  for (let count = 0; count < 3; count += 1) {
    const ends = clients.map((client) => client.nextEnd());
    await clients[0]?.turn(served);
    await Promise.all(ends);
  }
  const delays = clients.flatMap((client) => client.delays);
  for (const client of clients) client.close();
  slow.destroy();
  const row = [
    String(watchers),
    `${quantile(delays, 0.5)} ms`,
    `${quantile(delays, 0.99)} ms`,
    memoryMb(served).toFixed(0),
  ];
  print(table(["watchers, one reads nothing", "delay p50", "delay p99", "MB"], [row]));
}

function memoryMb({ child }: ServedProgram): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
