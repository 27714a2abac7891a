/** Kills the indexer at random moments: every file in the index has the facts of its text, and finished files stay. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { killCount } from "../../../test/faults/kill-count.ts";
import { typescript } from "../src/languages/typescript.ts";
import { parseSource } from "../src/parse/parse-source.ts";
import { never, openWorkspace, type TestWorkspace } from "./workspace.ts";

const kills = killCount(60);
const files = 150;

/** Returns the text of a file in a round. A third of the files changes in each round. */
function textOf(file: number, round: number): string {
  const version = Math.floor((round + file) / 3);
  const lines = Array.from(
    { length: 5 + ((file * 7 + version * 3) % 40) },
    (_, at) =>
      `export function name${file}x${at}v${version}() {\n  return name${file}x${at}v${version - 1}(${at});\n}\n`,
  );
  return lines.join("\n");
}

test("no kill leaves a wrong fact, and none costs a finished file", { timeout: 900_000 }, async () => {
  await using work = openWorkspace();
  let killed = 0;
  let finished = 0;
  for (let round = 0; killed < kills; round += 1) {
    for (let file = 0; file < files; file += 1) work.write(`f${file}.ts`, textOf(file, round));
    const before = upToDate(work);
    const end = await buildAndKill(work, round % 5 === 0 ? "start" : Math.floor(Math.random() * (files / 3)));
    killed += end.killed ? 1 : 0;
    finished += end.killed ? 0 : 1;
    await expectTrueFacts(work);
    expect(upToDate(work)).toBeGreaterThanOrEqual(Math.max(before, end.done));
  }
  expect(killed).toBe(kills);
  expect(finished).toBeLessThan(kills * 3);
  await expectSameAnswers(work);
});

interface End {
  readonly killed: boolean;
  /** The last number of finished files that the process told. */
  readonly done: number;
}

/**
 * Starts a build and kills it within the first half second, or within a few milliseconds after it told of `moment` steps. Steps are counted
 * rather than milliseconds, so that most kills meet a build also where a process starts slowly.
 */
async function buildAndKill({ root, index }: TestWorkspace, moment: "start" | number): Promise<End> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "build-index.ts"), root, index], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  let timer: NodeJS.Timeout | undefined;
  const killWithin = (ms: number) => {
    timer ??= setTimeout(() => child.kill("SIGKILL"), Math.random() * ms);
  };
  if (moment === "start") killWithin(500);
  child.stdout.on("data", (chunk) => {
    output += chunk;
    if (moment !== "start" && output.split("\n").length > moment) killWithin(5);
  });
  await once(child, "close");
  clearTimeout(timer);
  const told = output
    .split("\n")
    .slice(0, -1)
    .filter((line) => /^\d+$/.test(line));
  return { killed: child.signalCode === "SIGKILL", done: Number(told.at(-1) ?? 0) };
}

function rowsOf(index: string, sql: string): readonly Record<string, unknown>[] {
  if (!existsSync(index)) return [];
  const database = new DatabaseSync(index);
  try {
    const tables = database.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'files'").get();
    return tables?.["n"] === 0 ? [] : database.prepare(sql).all();
  } finally {
    database.close();
  }
}

/** Returns the number of files whose present text is in the index. */
function upToDate({ root, index }: TestWorkspace): number {
  const rows = rowsOf(index, "SELECT path, size FROM files");
  const same = ({ path, size }: Record<string, unknown>) =>
    readFileSync(join(root, String(path))).length === size;
  return rows.filter(same).length;
}

const expected = new Map<string, Promise<string>>();

/** Expects that the symbols and places of every file in the index are those of the text with its hash. */
async function expectTrueFacts({ root, index }: TestWorkspace): Promise<void> {
  const symbols = Map.groupBy(
    rowsOf(index, "SELECT file, name, kind, line, end_line AS endLine FROM symbols ORDER BY id"),
    ({ file }) => file,
  );
  for (const { id, path, hash, places } of rowsOf(index, "SELECT id, path, hash, places FROM files")) {
    const found = (symbols.get(id) ?? []).map(
      ({ name, kind, line, endLine }) => `${name} ${kind} ${line} ${endLine}`,
    );
    const known =
      expected.get(String(hash)) ?? factsOf(readFileSync(join(root, String(path)), "utf8"), String(hash));
    const facts = await known;
    if (facts === "") continue;
    expected.set(String(hash), known);
    expect(`${found.join("\n")}\n${places}`, String(path)).toBe(facts);
  }
}

/** Returns the facts of a text; the empty text if it does not have that hash, because the file has changed since. */
async function factsOf(text: string, hash: string): Promise<string> {
  const outcome = await parseSource(text, typescript, undefined);
  if (outcome.kind !== "parsed" || outcome.facts.hash !== hash) return "";
  const { symbols, places } = outcome.facts;
  return `${symbols.map(({ name, kind, line, endLine }) => `${name} ${kind} ${line} ${endLine}`).join("\n")}\n${places}`;
}

/** Expects that the index, brought up to date, answers as one that was built in one go. */
async function expectSameAnswers(work: TestWorkspace): Promise<void> {
  const killed = work.open();
  const fresh = work.open({ path: `${work.index}.fresh` });
  await killed.build(never);
  await fresh.build(never);
  for (let file = 0; file < files; file += 10) {
    const name = /function (\w+)/.exec(readFileSync(join(work.root, `f${file}.ts`), "utf8"))?.[1] ?? "";
    expect((await killed.findSymbols(name, undefined, 9)).lines).toHaveLength(1);
    expect(await killed.findReferences(name, undefined, 9)).toEqual(
      await fresh.findReferences(name, undefined, 9),
    );
    // Places of equal rank have the order in which they were written, so only the best one is the same in every index.
    for (const graph of [killed, fresh]) {
      expect((await graph.search(name, undefined, 9)).lines[0]?.path).toBe(`f${file}.ts`);
    }
  }
}
