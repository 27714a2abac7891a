/** Runs a scripted session with the real program against a server with a small window, and measures the prompts. */
import { spawn } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countBodyTokens } from "./count-tokens.ts";
import { answersOf, lastText, type Needle, type SessionScript, summaryOf } from "./scripts.ts";
import { type SeenPrompt, startWindowServer } from "./window-server.ts";

export type WireName = "openai" | "ollama";

export interface SessionFigures {
  readonly found: readonly Needle[];
  readonly missing: readonly Needle[];
  /** Prompts whose beginning the server dropped, or whose history changed without an event that says so. */
  readonly silentCuts: number;
  readonly refused: number;
  readonly compactions: number;
  readonly summaries: number;
  /** How often a prompt did not begin with the one before. */
  readonly changed: number;
  /** The tokens of all prompts. */
  readonly tokens: number;
  /** The share of the prompts' text with which the next prompt begins, over all prompts that no compaction followed. */
  readonly reused: number;
  /** The share of the prompts' text that the server had already read for the prompt before. */
  readonly cached: number;
  readonly ended: boolean;
  readonly problems: readonly string[];
}

const limitMs = 120_000;

export async function runSession(
  program: string,
  script: SessionScript,
  wire: WireName,
  window: number,
): Promise<SessionFigures> {
  const place = makePlace(script.files);
  const answers = answersOf(script);
  const server = await startWindowServer({
    window,
    count: countBodyTokens,
    tooLong: wire === "ollama" ? "cut" : "refuse",
    answerBeside: summaryOf,
    answerOf: (index) => answers[index] ?? { text: "Nothing more is scripted." },
  });
  const run = await talk(program, place, optionsOf(wire, server.origin, window), script);
  await server.close();
  const compactions = compactionsIn(place.home);
  const figures = measure(server.prompts, server.beside, script, compactions);
  const ended = server.prompts.length === answers.length && run.code === 0;
  rmSync(place.root, { recursive: true, force: true, maxRetries: 5 });
  const problems = ended
    ? []
    : [
        `exit code ${run.code}, ${server.prompts.length} of ${answers.length} prompts: ${run.errors.slice(-300)}`,
      ];
  return {
    ...figures,
    refused: server.refused(),
    compactions,
    summaries: server.beside.length,
    ended,
    problems,
  };
}

function optionsOf(wire: WireName, origin: string, window: number): readonly string[] {
  const server =
    wire === "ollama"
      ? ["--provider", "ollama", "--base-url", origin, "--num-ctx", `${window}`]
      : ["--base-url", `${origin}/v1`];
  return [...server, "--model", "small"];
}

export interface SessionPlace {
  readonly root: string;
  readonly home: string;
  readonly workspace: string;
}

/** Makes a home folder and a trusted workspace with these files. */
export function makePlace(files: Readonly<Record<string, string>>): SessionPlace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "lh-context-")));
  const place = { root, home: join(root, "home"), workspace: join(root, "ws") };
  const configuration = join(place.home, ".config", "localharness");
  mkdirSync(configuration, { recursive: true });
  mkdirSync(place.workspace);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place.workspace, name), text);
  const folder = { path: place.workspace, owner: statSync(place.workspace).uid, trusted: true, decided: 0 };
  writeFileSync(join(configuration, "trust.json"), JSON.stringify({ version: 1, folders: [folder] }), {
    mode: 0o600,
  });
  return place;
}

/** Types each message after the answer to the previous one. Resolves when the program has ended. */
function talk(program: string, place: SessionPlace, options: readonly string[], { messages }: SessionScript) {
  const { promise, resolve } = Promise.withResolvers<{ code: number | null; errors: string }>();
  const child = spawn(process.execPath, [program, "-i", ...options], {
    cwd: place.workspace,
    env: { PATH: process.env["PATH"], HOME: place.home, NO_COLOR: "1" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), limitMs);
  let typed = 0;
  let output = "";
  let errors = "";
  const type = () => {
    const message = messages[typed];
    typed += 1;
    if (message === undefined) child.stdin.end();
    else child.stdin.write(`${message.text}\n`);
  };
  child.stdin.on("error", () => undefined);
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    if (!output.includes(lastText(typed - 1))) return;
    output = "";
    type();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  child.once("close", (code) => {
    clearTimeout(timer);
    resolve({ code, errors });
  });
  type();
  return promise;
}

/** Returns the number of `compaction` events in the session's file. */
function compactionsIn(home: string): number {
  const files = readdirSync(home, { recursive: true, encoding: "utf8" });
  const texts = files
    .filter((file) => file.endsWith(".jsonl"))
    .map((file) => readFileSync(join(home, file), "utf8"));
  return texts.join("").match(/"type":"compaction"/g)?.length ?? 0;
}

/** Counts what the prompts of a session kept. `changed` is how often a prompt did not begin with the one before. */
export function measure(
  prompts: readonly SeenPrompt[],
  beside: readonly SeenPrompt[],
  { needles }: SessionScript,
  compactions: number,
) {
  const histories = prompts.map(({ body }) => JSON.stringify(JSON.parse(body).messages).slice(0, -1));
  let changed = 0;
  let kept = 0;
  let could = 0;
  let cached = 0;
  for (const [index, history] of histories.entries()) {
    const next = histories[index + 1];
    if (next === undefined) break;
    const common = commonLength(history, next);
    cached += common;
    if (common < history.length) changed += 1;
    if (common < history.length && changed <= compactions) continue;
    kept += common;
    could += history.length;
  }
  const last = prompts.at(-1)?.body ?? "";
  return {
    found: needles.filter(({ text }) => last.includes(text)),
    missing: needles.filter(({ text }) => !last.includes(text)),
    silentCuts: [...prompts, ...beside].filter(({ cut }) => cut).length + Math.max(0, changed - compactions),
    changed,
    tokens: [...prompts, ...beside].reduce((sum, { tokens }) => sum + tokens, 0),
    reused: could === 0 ? 1 : kept / could,
    cached:
      cached /
      Math.max(
        1,
        histories.reduce((sum, { length }) => sum + length, 0),
      ),
  };
}

function commonLength(before: string, after: string): number {
  if (after.startsWith(before)) return before.length;
  let length = 0;
  while (length < before.length && before[length] === after[length]) length += 1;
  return length;
}
