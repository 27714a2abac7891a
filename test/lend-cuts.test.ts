/**
 * The link between a model here and a folder elsewhere breaks 100 times at counted steps, and both programs are killed and started
 * again: no call runs twice, and no result is lost without a word.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type Cut, type CuttingProxy, cuttingProxy } from "./cutting-proxy.ts";
import { end, lentName, linesOf, startLending } from "./lent-folder.ts";
import { makePlace, type Place, type Run, run, start } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const model = await serveModel();
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const cutsWanted = 100;
/** The delay of the link in one direction: `LOCALHARNESS_DELAY_MS=50 npm run test:slow -- test/lend-cuts.test.ts`. */
const delayMs = Number(process.env["LOCALHARNESS_DELAY_MS"] ?? 0);

/** Cuts in both directions, before and after the piece went through. The first two pieces of a connection agree on it. */
const cutKinds: readonly Cut[] = [3, 4, 5].flatMap((piece) =>
  (["up", "down"] as const).flatMap((way) => [true, false].map((passes) => ({ way, piece, passes }))),
);

/** The first connection is cut when a call is on its way: one that breaks while it is opened is an error for the person. */
const firstCut: Cut = { way: "up", piece: 9, passes: true };

interface Pair {
  readonly owner: Place;
  readonly borrower: Place;
  lending: Run;
  readonly port: number;
}

/** Starts the lending program, and pairs the borrower with it through a proxy if there is one. */
async function openPair(
  plan?: (connection: number) => Cut | undefined,
): Promise<Pair & { readonly proxy: CuttingProxy | undefined }> {
  const owner = makePlace();
  const borrower = makePlace();
  const config = { "limits.calls_per_minute": 100_000, "limits.commands_per_turn": 100_000 };
  for (const place of [owner, borrower]) writeConfig(place, config);
  const { lending, url, code } = await startLending(owner, ["--mode", "bypass"]);
  const port = Number(new URL(url).port);
  const paired = await run(["lend", "pair", url, code, lentName], { place: borrower });
  expect(paired.code).toBe(0);
  // The port is the same, because the lending program knows its names with it.
  const proxy = plan && (await cuttingProxy("::1", port, { host: "127.0.0.1", port }, plan, delayMs));
  if (proxy !== undefined) {
    const file = join(borrower.home, ".config", "localharness", "elsewhere.json");
    writeFileSync(file, readFileSync(file, "utf8").replace("127.0.0.1", "[::1]"), { mode: 0o600 });
    closing.push(() => proxy.close());
  }
  const pair = { owner, borrower, lending, port, proxy };
  closing.push(() => end(pair.lending, "SIGKILL"));
  return pair;
}

function writeConfig({ home }: Place, values: object): void {
  const folder = join(home, ".config", "localharness");
  const path = join(folder, "config.json");
  if (!existsSync(folder)) throw new Error(`${folder} is missing`);
  writeFileSync(path, JSON.stringify(values), { mode: 0o600 });
}

/** Returns a call that leaves a line, and then takes a moment. */
function mark(number: number, seconds = 0) {
  const command = `echo mark-${number} >> marks; sleep ${seconds}; echo done-${number}`;
  return { calls: [{ name: "bash", arguments: { command } }] };
}

interface Told {
  readonly success: boolean;
  readonly data: string | null;
  readonly error_message: string | null;
}

/** Returns what the model was told about each call, in order. */
function told(): readonly Told[] {
  const messages = model.chats.at(-1)?.body?.["messages"] as unknown as readonly {
    role: string;
    content: string;
  }[];
  return messages.filter(({ role }) => role === "tool").map(({ content }) => JSON.parse(content) as Told);
}

function ask(...flags: readonly string[]): readonly string[] {
  return [
    "-p",
    ...argumentsFor(model),
    "--workspace",
    lentName,
    "--iterations-per-turn",
    "300",
    ...flags,
    "go",
  ];
}

test(`${cutsWanted} cuts at counted steps: each call ran once, and each result arrived`, async () => {
  const plan = (connection: number) => {
    if (connection >= cutsWanted) return undefined;
    return connection === 0 ? firstCut : cutKinds[connection % cutKinds.length];
  };
  const { owner, borrower, proxy } = await openPair(plan);
  const calls = 150;
  model.use({ turns: [...Array.from({ length: calls }, (_, index) => mark(index)), { text: "Done." }] });
  const ended = await run(ask(), { place: borrower });
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stdout).toContain("Done.");
  expect(proxy?.cuts()).toBe(cutsWanted);
  const results = told();
  expect(results).toHaveLength(calls);
  for (const [index, { success, data, error_message: message }] of results.entries()) {
    expect({ index, success, data, message }).toMatchObject({
      success: true,
      data: expect.stringContaining(`done-${index}`),
    });
  }
  expect([...linesOf(owner, "marks")]).toEqual(
    Array.from({ length: calls }, (_, index) => [`mark-${index}`, 1]),
  );
});

describe("killed in the middle of calls", () => {
  const kills = 8;

  test("the lending program: a call ran at most once, and an unknown outcome is told", async () => {
    const pair = await openPair();
    const { owner, borrower, port } = pair;
    const calls = 2 * kills;
    model.use({
      turns: [...Array.from({ length: calls }, (_, index) => mark(index, 0.3)), { text: "Done." }],
    });
    const talk = await start(ask(), { place: borrower });
    closing.push(() => end(talk, "SIGKILL"));
    for (let kill = 0; kill < kills; kill += 1) {
      await expect.poll(() => linesOf(owner, "marks").has(`mark-${2 * kill}`)).toBe(true);
      await end(pair.lending, "SIGKILL");
      pair.lending = (await startLending(owner, ["--mode", "bypass"], port)).lending;
    }
    const ended = await talk.ended;
    expect(ended.stdout).toContain("Done.");
    expect(ended.stderr).toMatch(/the connection to box broke/);
    const marks = linesOf(owner, "marks");
    const results = told();
    expect(results).toHaveLength(calls);
    for (const [index, { success, error_message: message }] of results.entries()) {
      const count = marks.get(`mark-${index}`) ?? 0;
      expect(count, `call ${index}`).toBeLessThanOrEqual(1);
      if (success) expect(count, `call ${index}`).toBe(1);
      else expect(message).toMatch(/^outcome unknown: /);
    }
    expect(results.filter(({ success }) => !success)).toHaveLength(kills);
  });

  test("the program with the model: the session goes on, and says what is not known", async () => {
    const { owner, borrower } = await openPair();
    // The model's answer depends on the number of its answers in the session.
    model.use({
      turns: [...Array.from({ length: kills }, (_, index) => mark(index, 0.5)), { text: "Done." }],
    });
    for (let kill = 0; kill < kills; kill += 1) {
      const talk = await start(ask(...(kill === 0 ? [] : ["--continue"])), { place: borrower });
      closing.push(() => end(talk, "SIGKILL"));
      await expect.poll(() => linesOf(owner, "marks").has(`mark-${kill}`)).toBe(true);
      await end(talk, "SIGKILL");
    }
    const last = await run(ask("--continue"), { place: borrower });
    expect(last.stdout).toContain("Done.");
    const results = told();
    expect(results).toHaveLength(kills);
    for (const { error_message: message } of results)
      expect(message).toMatch(/may have been done in part or in full/);
    expect([...linesOf(owner, "marks").values()]).toEqual(Array.from({ length: kills }, () => 1));
  });
});
