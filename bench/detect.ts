/** How fast the detector reads text in small pieces while it watches for every format, beside loops that only pass text on. */
import { createDetector, type ToolSchema } from "@localharness/detect";
import type { Benchmark, BenchOptions } from "./benchmark.ts";

const pieceLength = 4;
const sizes = [64 * 1024, 1024 * 1024, 16 * 1024 * 1024];

const names =
  "read_file write_file ls grep_search bash edit_file git_status git_diff mkdir remove add_task list_tasks";
const tools: readonly ToolSchema[] = names.split(" ").map((name) => ({
  name,
  parameters: { type: "object", properties: { path: { type: "string" }, content: { type: "string" } } },
}));

const prose =
  "The quick brown fox reads a lot of files and writes them back to the list of tasks; it's a matter of habit, isn't it?\n" +
  "Let me see what we have [1] here: `code`, a < b, {x}, and nothing else that a reader would stop for.\n";
const nearMarkers =
  '<tool_cal <tool_call <|tool [TOOL ``` {"na [{ read_file write_file( <fun </think> Tool: <｜tool ';

function repeat(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}

function call(content: string): string {
  return `<tool_call>{"name":"write_file","arguments":{"path":"a.txt","content":${JSON.stringify(content)}}}</tool_call>`;
}

const texts: { readonly [name: string]: (length: number) => string } = {
  "prose only": (length) => repeat(prose, length),
  "one call at the end": (length) => `${repeat(prose, length - 200)}${call("short")}`,
  "500 calls": (length) => `${repeat(prose, length / 500 - 100)}${call("short")}\n`.repeat(500),
  "one call with all of it": (length) => call(repeat(prose, length - 200)),
  "near-markers": (length) => repeat(nearMarkers, length),
};

/** Milliseconds to read the text in pieces. */
function timeDetector(text: string): number {
  const start = performance.now();
  const detector = createDetector({ tools });
  for (let at = 0; at < text.length; at += pieceLength) detector.push(text.slice(at, at + pieceLength));
  detector.end();
  return performance.now() - start;
}

/** The floor: the pieces are passed on as events, unread. */
function timeCopy(text: string): number {
  const start = performance.now();
  let length = 0;
  for (let at = 0; at < text.length; at += pieceLength) {
    const events = [{ type: "text-delta", text: text.slice(at, at + pieceLength) }];
    length += events[0]?.text.length ?? 0;
  }
  return length === text.length ? performance.now() - start : Number.NaN;
}

/** A reader of one format that looks at every character once and knows when to stop: what reading alone costs. */
function timeOnePass(text: string): number {
  const start = performance.now();
  let count = 0;
  let held = "";
  for (let at = 0; at < text.length; at += pieceLength) {
    const piece = held + text.slice(at, at + pieceLength);
    held = "";
    for (let index = 0; index < piece.length; index++) if (piece.charCodeAt(index) === 60) count++;
    const events = [{ type: "text-delta", text: piece }];
    count += events.length;
  }
  return count > 0 ? performance.now() - start : Number.NaN;
}

function best(runs: number, time: () => number): number {
  return Math.min(...Array.from({ length: runs }, time));
}

function speed(length: number, milliseconds: number): string {
  return (length / 1000 / milliseconds).toFixed(1).padStart(9);
}

async function run({ runs = 3, print }: BenchOptions): Promise<void> {
  print(`MB/s in pieces of ${pieceLength} characters, best of ${runs}`);
  print(`${"".padEnd(26)}${sizes.map((size) => `${size / 1024} KB`.padStart(10)).join("")}`);
  timeDetector(repeat(prose, sizes[1] ?? 0));
  const rows: [string, (length: number) => string, (text: string) => number][] = [
    ["floor: pass on", (length) => repeat(prose, length), timeCopy],
    ["floor: look for one sign", (length) => repeat(prose, length), timeOnePass],
    ...Object.entries(texts).map(
      ([name, make]): [string, (length: number) => string, (text: string) => number] => [
        name,
        make,
        timeDetector,
      ],
    ),
  ];
  for (const [name, make, time] of rows) {
    const cells = sizes.map((size) => {
      const text = make(size);
      return ` ${speed(
        text.length,
        best(size > 2 ** 23 ? 1 : runs, () => time(text)),
      )}`;
    });
    print(`${name.padEnd(26)}${cells.join("")}`);
  }
  const memory = process.memoryUsage();
  print(`\nresident memory at the end: ${(memory.rss / 2 ** 20).toFixed(0)} MB`);
}

export const benchmark: Benchmark = {
  question: "How fast is text read while every format is watched for?",
  run,
};
