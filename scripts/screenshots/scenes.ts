/** The scenes of the screenshots: the model's answers, and the keys to type. */
import type { Scenario } from "../../packages/models/test/fake-server/scenario.ts";
import type { OpenScreen, ScreenSize } from "./open-screen.ts";

export interface Scene {
  readonly name: string;
  readonly size?: ScreenSize;
  readonly scenario: Scenario;
  readonly args?: readonly string[];
  play(screen: OpenScreen): Promise<void>;
}

export const defaultSize: ScreenSize = { cols: 100, rows: 30 };

const models = [
  { name: "qwen3:8b", capabilities: ["completion", "tools"], contextLength: 40_960, runningContext: 16_384 },
  { name: "gemma3:12b", capabilities: ["completion", "vision"], contextLength: 131_072 },
  { name: "gpt-oss:20b", capabilities: ["completion", "tools"], contextLength: 131_072 },
  { name: "llama3.2:3b", capabilities: ["completion", "tools"], contextLength: 131_072 },
];

const answer = `The times are in \`src/times.json\`, and **one is wrong**:

| tea | minutes | degrees |
|-------|---------|---------|
| green | 2 | 80 |
| black | 40 | 95 |

Four minutes are meant. This reads them:

\`\`\`ts
export function minutesFor(tea: string): number {
  const found = times[tea];
  if (found === undefined) throw new Error("no such tea");
  return found.minutes; // whole minutes
}
\`\`\`

- the tests do not cover it
- nothing else reads the file
`;

const look = { name: "read_file", arguments: { path: "src/times.json" } };
const search = { name: "grep_search", arguments: { pattern: "minutes", path: "src" } };
const mend = {
  name: "edit_file",
  arguments: { path: "src/times.json", old_string: '"minutes": 40', new_string: '"minutes": 4' },
};

const allowed = ["--answer", "once"];
const ask = "Which brewing time is wrong?\r";

export const scenes: readonly Scene[] = [
  { name: "start", scenario: { models, turns: [] }, play: (screen) => screen.settled() },
  {
    name: "answer",
    scenario: {
      models,
      deltaChars: 8,
      everyMs: 12,
      turns: [{ text: `${answer}\nShall I ${"mend it? ".repeat(400)}` }],
    },
    async play(screen) {
      screen.type(ask);
      await screen.waitFor("Shall I");
    },
  },
  {
    name: "calls",
    args: allowed,
    scenario: { models, turns: [{ calls: [look, search] }, { text: "Black tea: 40 minutes, 4 are meant." }] },
    async play(screen) {
      screen.type(ask);
      await screen.waitFor("4 are meant.");
      screen.type("\u000f");
      await screen.waitFor("Enter opens");
      screen.type("a\u001b[H");
      await screen.settled();
    },
  },
  {
    name: "permission",
    scenario: { models, turns: [{ calls: [look] }, { calls: [mend] }, { text: "Done." }] },
    async play(screen) {
      screen.type("Please mend the brewing time.\r");
      await screen.waitFor(/Permission Request: edit_file[\s\S]*\[1\]/);
      await screen.settled();
    },
  },
  {
    name: "config",
    scenario: { models, turns: [] },
    async play(screen) {
      screen.type("/config\r");
      await screen.waitFor("Settings");
      screen.type("\u001b[B\u001b[B\u001b[B\r");
      await screen.settled();
    },
  },
  {
    name: "model",
    scenario: { models, turns: [{ text: "Black tea takes four minutes." }] },
    async play(screen) {
      screen.type("How long does black tea take?\r");
      await screen.waitFor("four minutes.");
      screen.type("/model\r");
      await screen.waitFor("gemma3");
      screen.type("\u001b[B");
      await screen.settled();
    },
  },
  {
    name: "resume",
    scenario: { models, turns: [] },
    async play(screen) {
      screen.type("/resume\r");
      await screen.waitFor("just now");
      screen.type("tea");
      await screen.settled();
    },
  },
  {
    name: "narrow",
    args: allowed,
    size: { cols: 40, rows: 30 },
    scenario: { models, turns: [{ calls: [look] }, { text: answer }] },
    async play(screen) {
      screen.type(ask);
      await screen.waitFor("nothing else reads");
      await screen.settled();
    },
  },
];
