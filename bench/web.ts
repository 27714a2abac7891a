/** Measures the web app in Chromium: the first screen, an answer that streams, and a session of 10,000 messages. */
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { openKeptSessions } from "localharness";
import type { Browser } from "playwright-core";
import { makePlace, type Place } from "../scripts/corpus/attacks/place.ts";
import { buildProgram } from "../scripts/corpus/attacks/program.ts";
import { type ServedProgram, startServed } from "../scripts/corpus/attacks/served.ts";
import type { Benchmark, BenchOptions } from "./benchmark.ts";
import { figureOf, goalLine, showFigure, table } from "./measure/figures.ts";
import { startTokens } from "./server/tokens.ts";
import { makeSession } from "./sessions/make-sessions.ts";
import { type OpenedPage, openPage, startChromium } from "./web/open-page.ts";

const defaultRuns = 5;
const longId = "long";
const longSize = { messages: 10_000, bytes: 12_000_000 };
const frames = 300;
const frameMs = 1000 / 60;
const answer = {
  tokens: 1_000,
  everyMs: 5,
  token: (at: number) => (at % 40 === 39 ? "end.\n\n" : at % 7 === 0 ? "**word** " : "word "),
};

export const benchmark: Benchmark = {
  question:
    "What does the web app cost in a browser, at the start, while an answer streams, and in a long session?",
  async run(options) {
    using program = await buildProgram();
    using place = makePlace("");
    await using model = await startTokens(answer);
    writeLongSession(place);
    const settings = { program: program.start, sandbox: "off", limitMs: 60_000 } as const;
    const served = await startServed(place, model.baseUrl, settings);
    const browser = await startChromium();
    try {
      await firstScreen(browser, served, options);
      await streaming(browser, served, options);
      await longSession(browser, served, options);
    } finally {
      await browser.close();
      await served.end();
    }
  },
};

function writeLongSession({ home, ws }: Place): void {
  const stateFolder = join(home, ".local", "state", "localharness");
  mkdirSync(stateFolder, { recursive: true });
  const place = { stateFolder, workspace: realpathSync(ws), systemPrompt: "" };
  const sessions = openKeptSessions({ ...place, mask: (text) => text, secrets: [] });
  makeSession(sessions, longId, longSize, "A long session");
  sessions.close();
}

async function firstScreen(browser: Browser, served: ServedProgram, { runs, print, note }: BenchOptions) {
  const paints: number[] = [];
  const typed: number[] = [];
  note("the first screen");
  await using opened = await openPage(browser, served);
  const { page } = opened;
  for (let run = 0; run <= (runs ?? defaultRuns); run += 1) {
    await page.reload();
    await page.locator("#message").press("x");
    // The time at which the page has taken the key, in milliseconds since the navigation began.
    const ready = await page.evaluate<number>(
      "document.querySelector('#message').value.endsWith('x') ? performance.now() : NaN",
    );
    const paint = await page.evaluate<number>(firstPaint);
    if (run === 0) continue;
    paints.push(paint);
    typed.push(ready);
  }
  const row = ["from a paired browser, in ms", showFigure(figureOf(paints)), showFigure(figureOf(typed))];
  print(table(["first screen", "first paint", "a key is taken"], [row]));
}

const firstPaint = `new Promise((resolve) => {
  new PerformanceObserver((list, observer) => {
    const [entry] = list.getEntriesByName("first-contentful-paint");
    if (entry === undefined) return;
    observer.disconnect();
    resolve(entry.startTime);
  }).observe({ type: "paint", buffered: true });
})`;

async function streaming(browser: Browser, served: ServedProgram, { runs, print, note }: BenchOptions) {
  const work: number[] = [];
  note("an answer that streams");
  for (let run = 0; run < (runs ?? defaultRuns); run += 1) {
    await using opened = await openPage(browser, served);
    const { page, workSeconds } = opened;
    const before = await workSeconds();
    await page.locator("#message").fill("go");
    await page.keyboard.press("Enter");
    const stop = page.getByRole("button", { name: "Stop" });
    await stop.waitFor();
    await stop.waitFor({ state: "detached", timeout: 60_000 });
    work.push(((await workSeconds()) - before) * 1_000);
  }
  const row = ["1,000 tokens at 200 a second", showFigure(figureOf(work))];
  print(table(["an answer", "ms of work of the page"], [row]));
}

async function longSession(browser: Browser, served: ServedProgram, { print, note }: BenchOptions) {
  note("10,000 messages");
  await using opened = await openPage(browser, served);
  const { page, memory } = opened;
  const empty = await memory();
  const from = performance.now();
  await page.goto(`http://127.0.0.1:${served.port}/s/${longId}`);
  await page.locator("#transcript article").first().waitFor({ timeout: 60_000 });
  const openMs = performance.now() - from;
  await page.evaluate(untilWhole);
  const full = await memory();
  const megabytes = (one: number, other: number) => `${one.toFixed(0)} -> ${other.toFixed(0)}`;
  const sizes = [megabytes(empty.heapMb, full.heapMb), megabytes(empty.processMb, full.processMb)];
  print(
    table(
      ["a session", "ms to open", "MB of scripts", "MB of the page"],
      [["10,000 messages, 12 MB", openMs.toFixed(0), ...sizes]],
    ),
  );
  const fling = await scroll(opened, "100");
  const drag = await scroll(opened, `place.scrollHeight / ${frames}`);
  print(
    table(
      ["300 frames of a scroll", "ms of work a frame", "frames in time"],
      [
        ["by 100 pixels a frame", ...showScroll(fling)],
        ["from the end to the beginning", ...showScroll(drag)],
      ],
    ),
  );
  const goal = "a frame of a scroll by 100 pixels takes less than 16.7 ms";
  print(goalLine(goal, `${fling.workMs.toFixed(1)} ms`, fling.workMs < frameMs));
}

interface Scroll {
  readonly workMs: number;
  /** The share of frames that came within one and a half times their time. */
  readonly inTime: number;
}

function showScroll({ workMs, inTime }: Scroll): string[] {
  return [workMs.toFixed(1), `${(inTime * 100).toFixed(0)} %`];
}

/** Scrolls up from the end by a step in each frame. */
async function scroll({ page, workSeconds }: OpenedPage, step: string): Promise<Scroll> {
  const before = await workSeconds();
  const gaps = await page.evaluate<number[]>(`new Promise((resolve) => {
    const place = document.querySelector("#transcript");
    const step = ${step};
    const gaps = [];
    let last = performance.now();
    const next = (now) => {
      gaps.push(now - last);
      last = now;
      place.scrollTop -= step;
      if (gaps.length < ${frames}) requestAnimationFrame(next);
      else resolve(gaps);
    };
    place.scrollTop = place.scrollHeight;
    requestAnimationFrame(next);
  })`);
  const workMs = (((await workSeconds()) - before) * 1_000) / frames;
  return { workMs, inTime: gaps.filter((gap) => gap < frameMs * 1.5).length / gaps.length };
}

/** Resolves when the height of the transcript stays the same, because the whole session has come. */
const untilWhole = `new Promise((resolve) => {
  const place = document.querySelector("#transcript");
  let height = 0;
  const look = () => {
    if (place.scrollHeight === height) return resolve();
    height = place.scrollHeight;
    setTimeout(look, 1_000);
  };
  look();
})`;
