/** Defines a task of five tool calls as a scenario of the scripted model server. */
import type { FormatId } from "@localharness/detect";
import type { Scenario, ScriptedCall } from "../packages/models/test/fake-server/index.ts";

export const fiveToolsFiles = {
  "notes.md": "# Notes\n\nBuy mlik and bread.\n",
  "src/a.txt": "nothing here\n",
};

const steps: readonly { readonly text: string; readonly calls: readonly Omit<ScriptedCall, "id">[] }[] = [
  { text: "I will look around.", calls: [{ name: "ls", arguments: {} }] },
  { text: "Now I search.", calls: [{ name: "grep_search", arguments: { pattern: "mlik" } }] },
  { text: "I read it.", calls: [{ name: "read_file", arguments: { path: "notes.md" } }] },
  {
    text: "I correct it.",
    calls: [{ name: "edit_file", arguments: { path: "notes.md", old_string: "mlik", new_string: "milk" } }],
  },
  { text: "I check.", calls: [{ name: "bash", arguments: { command: "cat notes.md" } }] },
];

export const finalAnswer = "The misspelt word in notes.md is corrected.";

/** Returns the scenario with native calls, or with every call written as text in `writtenAs`. */
export function fiveTools(writtenAs?: FormatId): Scenario {
  const turns = steps.map((step) => ({ ...step, ...(writtenAs === undefined ? {} : { writtenAs }) }));
  return { turns: [...turns, { text: finalAnswer }] };
}
