/** Writes the demo's last answer: what it found, what was not allowed, what the demo is, and what to try next. */

import type { ToolDefinition } from "@localharness/engine";
import { countText } from "@localharness/protocol";
import type { Script, Seen, SeenResult } from "./script.ts";

const whatItIs =
  "I am the built-in demo: fixed rules, not a language model. The tools, the permissions and the files were real.";
const nextStep =
  "For a real model start Ollama (ollama serve, ollama pull qwen3) and run localharness again, or set XAI_API_KEY and run: localharness --provider xai --model grok-4";

export function finalAnswer(script: Script, seen: Seen, tools: readonly ToolDefinition[]): string {
  if (seen.results.length === 0) return `${script.opening ?? abilities(tools)}\n\n${whatItIs}\n${nextStep}`;
  const parts = [
    seen.results.map(reportLine).join("\n"),
    deniedNote(seen),
    script.closing?.(seen) ?? "",
    whatItIs,
    nextStep,
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function reportLine(result: SeenResult): string {
  const what = `- ${result.name}${subject(result)}`;
  if (!result.success) {
    return result.errorType === "permission_denied"
      ? `${what}: not allowed`
      : `${what}: failed, ${excerpt(result.text, 1)}`;
  }
  return `${what}: ${excerpt(result.text, linesFor(result))}`;
}

function subject(result: SeenResult): string {
  const shown = Object.values(result.arguments).find(
    (value) => typeof value === "string" && value.length < 60,
  );
  return shown === undefined ? "" : ` ${String(shown).split("\n")[0]}`;
}

function linesFor(result: SeenResult): number {
  return result.kind === "time" ||
    result.kind === "folder" ||
    result.kind === "write" ||
    result.kind === "edit"
    ? 1
    : 6;
}

/** Returns the first lines of a text and the number of lines left out. Several lines are indented. */
function excerpt(text: string, most: number): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length <= 1) return (lines[0] ?? "done").slice(0, 200);
  const shown = lines.slice(0, most).map((line) => `\n    ${line.slice(0, 160)}`);
  const left = lines.length - shown.length;
  return shown.join("") + (left > 0 ? `\n    (${countText(left, "more line")})` : "");
}

function deniedNote(seen: Seen): string {
  const denied = seen.results
    .filter((result) => result.errorType === "permission_denied")
    .map((result) => result.name);
  if (denied.length === 0) return "";
  const names = [...new Set(denied)].join(", ");
  return `Not allowed, and therefore not done: ${names}. Nothing was changed by ${denied.length === 1 ? "it" : "them"}.`;
}

function abilities(tools: readonly ToolDefinition[]): string {
  const examples = [
    "list the files",
    "read README.md",
    'search for "TODO"',
    'search for "TODO" and save it to todos.txt',
    'replace "old" with "new" in notes.txt',
    "run `node --version`",
    "what time is it",
    "add a task: water the plants",
    "git status",
    "take the tour",
  ];
  const offered =
    tools.length === 0 ? "No tools are on offer here." : `I have ${countText(tools.length, "tool")} here.`;
  return `I did not find anything in your message that my rules know. ${offered} Try one of these:\n${examples.map((line) => `- ${line}`).join("\n")}`;
}
