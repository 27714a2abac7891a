/** Checks when the unattended loop continues and ends, and its exit codes. */
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TurnEnd } from "@localharness/engine";
import { describe, expect, test } from "vitest";
import { runStories, storyMessage } from "../../../src/commands/loop/run-stories.ts";

const end = (more: Partial<TurnEnd> = {}): TurnEnd => ({
  type: "turn-end",
  reason: "done",
  denied: 0,
  ...more,
});

interface Loop {
  readonly file: string;
  readonly turn: number;
  /** The id of the story. */
  readonly story: string;
}

async function loop(act: (now: Loop) => Promise<TurnEnd> | TurnEnd, maxTurns = 10) {
  const workspace = await mkdtemp(join(tmpdir(), "lh-loop-"));
  const file = join(workspace, "prd.json");
  const stories = ["a", "b", "c"].map((id) => ({ id, title: `Story ${id}`, passes: false }));
  await writeFile(file, JSON.stringify({ stories }));
  const told: string[] = [];
  const messages: string[] = [];
  const { exitCode: code } = await runStories({
    taskFile: file,
    taskPath: "prd.json",
    workspace,
    maxTurns,
    tell: (line) => told.push(line),
    async runTurn(message) {
      messages.push(message);
      const [, story = ""] = /the story with id "(\w+)"/.exec(message) ?? [];
      return act({ file, turn: messages.length, story });
    },
  });
  return { code, told, messages };
}

async function pass({ file, story }: Loop): Promise<TurnEnd> {
  const tasks = JSON.parse(await readFile(file, "utf8"));
  for (const one of tasks.stories) if (one.id === story) one.passes = true;
  await writeFile(file, JSON.stringify(tasks));
  return end();
}

describe("runStories", () => {
  test("works through the stories one turn each until all pass", async () => {
    const { code, told, messages } = await loop(pass);
    expect(code).toBe(0);
    expect(messages).toHaveLength(3);
    expect(messages[1]).toContain('the story with id "b": Story b');
    expect(told.slice(0, 3)).toEqual(
      ["a", "b", "c"].map((id, index) => `turn ${index + 1}: story ${id} Story ${id} (${index} of 3 pass)`),
    );
    expect(told.slice(-5)).toEqual([
      "loop: all stories pass",
      "loop: 3 of 3 stories pass after 3 turns",
      "  ✓ a Story a",
      "  ✓ b Story b",
      "  ✓ c Story c",
    ]);
  });

  const ends: [string, (now: Loop) => Promise<TurnEnd> | TurnEnd, number, number, RegExp][] = [
    ["nothing changes in two turns", () => end(), 3, 2, /no progress in 2 turns/],
    [
      "nothing changes as calls were denied",
      () => end({ denied: 1 }),
      4,
      2,
      /2 calls were denied.*accept-edits/,
    ],
    ["the model fails", () => end({ reason: "error", message: "server down" }), 1, 1, /server down/],
    ["the person interrupts", () => end({ reason: "interrupted" }), 130, 1, /interrupted/],
    [
      "files change but no story passes, up to the limit",
      async ({ file, turn }) => {
        await writeFile(join(file, "..", "notes.txt"), `turn ${turn}`);
        return end({ reason: "iteration-limit" });
      },
      3,
      4,
      /limit of 4 turns/,
    ],
    [
      "the model damages the task file",
      async ({ file }) => {
        await writeFile(file, "{");
        return end();
      },
      1,
      1,
      /prd\.json cannot be read: line 1/,
    ],
  ];
  test.each(ends)("ends when %s", async (_why, act, code, turns, said) => {
    const result = await loop(act, 4);
    expect({ code: result.code, turns: result.messages.length }).toEqual({ code, turns });
    expect(result.told.join("\n")).toMatch(said);
  });

  test("one turn without a change is forgiven when the next brings one", async () => {
    const { code, messages } = await loop((now) => (now.turn % 2 === 1 ? end() : pass(now)));
    expect({ code, turns: messages.length }).toEqual({ code: 0, turns: 6 });
  });

  test("the message says what to do and when the flag may be set", () => {
    const story = { id: "US-1", title: "", passes: false, priority: 0 };
    expect(storyMessage("tasks/prd.json", story)).toMatch(
      /story with id "US-1"\.\n1\. Read tasks\/prd\.json[\s\S]*Only when it works/,
    );
  });
});
