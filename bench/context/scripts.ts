/** Scripted sessions: what the person writes, which calls the model makes, and what it must still know at the end. */
import type { ScriptedAnswer, ScriptedCall } from "./window-server.ts";

/** A text that must be in the last prompt. */
export interface Needle {
  /**
   * `request`: the person wrote it; `failure`: a call that failed, or its error; `said`: the model wrote it in an answer;
   * `result`: one of the newest results.
   */
  readonly from: "request" | "failure" | "said" | "result";
  readonly text: string;
}

export interface SessionScript {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly messages: readonly ScriptedMessage[];
  readonly needles: readonly Needle[];
}

/** A message of the person, and the calls of each answer to it. After them, the model answers with a text. */
export interface ScriptedMessage {
  readonly text: string;
  readonly answers: readonly (readonly ScriptedCall[])[];
  /** What the model says in its last answer. */
  readonly says?: string;
}

/** Returns the text with which the model ends the turn of a message. */
export function lastText(message: number): string {
  return `Turn ${message + 1} is done.`;
}

/** Returns all answers of the model, in order. */
export function answersOf({ messages }: SessionScript): readonly ScriptedAnswer[] {
  return messages.flatMap(({ answers, says = "" }, index): ScriptedAnswer[] => [
    ...answers.map((calls) => ({ calls })),
    { text: `${says}${lastText(index)}` },
  ]);
}

const readCall = (path: string): ScriptedCall => ({ name: "read_file", arguments: { path } });

/** Returns a source file of about `lines` × 50 characters, whose lines all differ. */
function source(name: string, lines: number): string {
  const rows = Array.from(
    { length: lines },
    (_, row) => `export const ${name}_${row} = compute(${row * 7919}, "${name}");`,
  );
  return `${rows.join("\n")}\n`;
}

function sourceFiles(count: number, lines: number): Readonly<Record<string, string>> {
  const names = Array.from({ length: count }, (_, index) => index);
  return Object.fromEntries(
    names.map((index) => [`part-${index}.ts`, `// Part ${index}.\n${source(`part${index}`, lines)}`]),
  );
}

const failures: readonly Needle[] = [
  { from: "failure", text: "lost-a.ts" },
  { from: "failure", text: "lost-b.ts" },
  { from: "failure", text: "lost-c.ts" },
  { from: "failure", text: "not_found" },
];

const lostAt: ReadonlyMap<number, string> = new Map([
  [3, "lost-a.ts"],
  [20, "lost-b.ts"],
  [41, "lost-c.ts"],
]);

/** One message, 60 answers that read a file of 1,800 characters each; three of the files do not exist. */
export const oneTask: SessionScript = {
  name: "one task of 60 reads",
  files: sourceFiles(60, 35),
  messages: [
    {
      text: "Look for the cause of ERROR-5512 in all parts. Never touch part-17.ts, and write the report for TEAM-BLUE.",
      answers: Array.from({ length: 60 }, (_, index) => [readCall(lostAt.get(index) ?? `part-${index}.ts`)]),
    },
  ],
  needles: [
    { from: "request", text: "ERROR-5512" },
    { from: "request", text: "Never touch part-17.ts" },
    { from: "request", text: "TEAM-BLUE" },
    ...failures,
    { from: "result", text: "// Part 59." },
  ],
};

/** 60 messages with one read each; every sixth message has a wish. */
const conversation: SessionScript = {
  name: "a conversation of 60 turns",
  files: sourceFiles(60, 20),
  messages: Array.from({ length: 60 }, (_, index) => ({
    text: index % 6 === 0 ? `Read part ${index}, and mind WISH-${index}.` : `Read part ${index}.`,
    answers: [[readCall(lostAt.get(index) ?? `part-${index}.ts`)]],
  })),
  needles: [
    ...Array.from({ length: 10 }, (_, index): Needle => ({ from: "request", text: `WISH-${index * 6}` })),
    ...failures,
    { from: "result", text: "// Part 59." },
  ],
};

/** Results that are larger than a small window: a file of 40,000 characters, and searches that find all of its lines. */
const largeResults: SessionScript = {
  name: "large results",
  files: { "large.ts": `// Large begins.\n${source("large", 800)}`, ...sourceFiles(12, 120) },
  messages: [
    {
      text: "Find where large_799 is computed; answer in the words of MARK-88.",
      answers: [
        [readCall("large.ts")],
        [{ name: "grep_search", arguments: { pattern: "compute" } }],
        [readCall("lost-a.ts")],
        ...Array.from({ length: 12 }, (_, index) => [readCall(`part-${index}.ts`)]),
        ...Array.from({ length: 12 }, (_, index) => [
          { name: "grep_search", arguments: { pattern: `part${index}_1` } },
        ]),
        [readCall("part-0.ts"), readCall("part-1.ts"), readCall("part-2.ts"), readCall("part-3.ts")],
      ],
    },
  ],
  needles: [
    { from: "request", text: "MARK-88" },
    { from: "request", text: "large_799" },
    { from: "failure", text: "lost-a.ts" },
    { from: "failure", text: "not_found" },
    { from: "result", text: "// Part 3." },
  ],
};

/** 40 messages, to each of which the model answers with a finding that nobody else wrote. */
const findings: SessionScript = {
  name: "40 findings of the model",
  files: sourceFiles(40, 10),
  messages: Array.from({ length: 40 }, (_, index) => ({
    text: `What does part ${index} do?`,
    answers: [[readCall(`part-${index}.ts`)]],
    says: `FINDING-${index}: ${"it computes a value from its number and its name, and nothing calls it yet. ".repeat(4)}`,
  })),
  needles: [
    { from: "request", text: "What does part 0 do?" },
    ...Array.from({ length: 8 }, (_, index): Needle => ({ from: "said", text: `FINDING-${index * 5}:` })),
  ],
};

/**
 * Returns what a model that reads carefully writes down when it is asked for a summary: all findings in the prompt. Returns
 * undefined for a request of the conversation.
 */
export function summaryOf(body: string): string | undefined {
  if (!body.includes("will now be left out to save room")) return undefined;
  const found = new Set(body.match(/FINDING-\d+:/g) ?? []);
  return `Goal: look at all parts. Found: ${[...found].join(" ")}`;
}

export const scripts: readonly SessionScript[] = [oneTask, conversation, largeResults, findings];
