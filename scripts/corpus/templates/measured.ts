/** Compares the scripted server with real servers on twelve histories: both must refuse and lose the same. */
import { takeRequest } from "@localharness/models/fake-server";
import { isJsonObject, type JsonObject } from "@localharness/protocol";
import type { MeasuredRow, TemplateRow } from "./template-row.ts";

type Message = JsonObject;

const system: Message = { role: "system", content: "You are MARKSYSTEM." };
const ask: Message = { role: "user", content: "MARKASK" };
const empty = [{ type: "text", text: "" }];
const id32 = "abcdefghijklmnopqrstuvwxyz012345";

function calls(...ids: readonly string[]): Message {
  return {
    tool_calls: ids.map((id) => ({
      id,
      type: "function",
      function: { name: "mark_it", arguments: '{"marked":"MARKARGUMENT"}' },
    })),
  };
}

function result(id: string, mark = "MARKRESULT"): Message {
  return { role: "tool", tool_call_id: id, name: "mark_it", content: mark };
}

function said(content: Message["content"], more: Message = {}): Message {
  return { role: "assistant", content: content ?? null, ...more };
}

const thought = { reasoning_content: "MARKTHOUGHT" };
const one = calls(id32);
const text = "MARKTEXT";

/** Known differences between the scripted server and the real one, and why they are right. */
const unlike: Readonly<Record<string, string>> = {
  "google-gemma-4-31B-it-interleaved 2026-08 text+call":
    "the server joins results into the message of their call, which drops its text; the template keeps it",
  "Qwen-Qwen3-0.6B 2025-08 call9": "the measurement did not look for the word None",
  "Qwen-Qwen3-0.6B 2025-08 call, user": "the measurement did not look for the word None",
};

/** The histories, by their names in the measurement. */
const histories: Readonly<Record<string, readonly Message[]>> = {
  plain: [system, ask],
  call: [system, ask, said("", one), result(id32)],
  call9: [system, ask, said("", calls("abcdefgh1")), result("abcdefgh1")],
  "text+call": [system, ask, said(text, one), result(id32)],
  "think+call": [system, ask, said("", { ...thought, ...one }), result(id32)],
  "think+text+call": [system, ask, said(text, { ...thought, ...one }), result(id32)],
  "call, empty part": [system, ask, said(empty, one), result(id32)],
  "think+call, empty part": [system, ask, said(empty, { ...thought, ...one }), result(id32)],
  "two calls": [
    system,
    ask,
    said("", calls(id32, `${id32.slice(0, 31)}6`)),
    result(id32),
    result(`${id32.slice(0, 31)}6`, "MARKRESULT"),
  ],
  "user user": [system, ask, { role: "user", content: "MARKAGAIN" }],
  "call, user": [system, ask, said("", one), result(id32), { role: "user", content: "MARKAGAIN" }],
  "think, answer, user": [system, ask, said(text, thought), { role: "user", content: "MARKAGAIN" }],
};

const tools: readonly JsonObject[] = [
  {
    type: "function",
    function: {
      name: "mark_it",
      description: "Marks something.",
      parameters: {
        type: "object",
        properties: { marked: { type: "string", description: "What to mark." } },
        required: ["marked"],
      },
    },
  },
];

export const plainBody = bodyOf(histories["plain"] ?? []);
export const callBody = bodyOf(histories["call9"] ?? []);

function bodyOf(messages: readonly Message[]): JsonObject {
  return { model: "m", messages: [...messages], tools: [...tools] };
}

/**
 * Returns one line for each history that the scripted server treats differently from the real one, without the differences
 * in `unlike`, and one for each measured template that is not among `templates`.
 */
export function differences(
  templates: readonly TemplateRow[],
  measured: readonly MeasuredRow[],
): readonly string[] {
  return measured.flatMap((row) => {
    const template =
      templates.find(({ name, snapshot }) => name === row.name && snapshot === row.server) ??
      templates.find(({ name }) => name === row.name);
    if (template === undefined) return [`${row.name}: no such template`];
    return Object.entries(histories).flatMap(([name, messages]) => {
      if (unlike[`${row.name} ${row.server} ${name}`] !== undefined) return [];
      const real = row.refused[name];
      const ours = outcome(template, row, messages);
      return sameOutcome(real, ours)
        ? []
        : [`${row.name} ${row.server} ${name}: real ${real ?? "taken"}; ours ${ours ?? "taken"}`];
    });
  });
}

function outcome(template: TemplateRow, row: MeasuredRow, messages: readonly Message[]): string | undefined {
  const how = { template: template.template, server: row.server };
  const taken = takeRequest(how, "openai", bodyOf(messages));
  if (taken.kind === "refused") {
    const error = isJsonObject(taken.body["error"]) ? taken.body["error"]["message"] : "";
    return `${taken.status} ${error}`;
  }
  const { prompt } = taken;
  const wrote = JSON.stringify(messages);
  if (wrote.includes("MARKRESULT") && !prompt.includes("MARKRESULT")) return "result lost";
  // The measurement did not look for text beside a thought.
  const looked = wrote.includes(text) && wrote.includes("tool_calls") && !wrote.includes("reasoning_content");
  if (looked && !prompt.includes(text)) return "text lost";
  return prompt.includes("None") ? "says None" : undefined;
}

/**
 * Returns true if two outcomes are the same; undefined means that the server took the history. Recorded messages are cut, so
 * ours need only contain them, and the position that they name is not compared.
 */
function sameOutcome(real: string | undefined, ours: string | undefined): boolean {
  if (real === undefined || ours === undefined) return real === ours;
  const words = real.replace(/ at row.*$/s, "").trim();
  const [status, ...rest] = words.split(" ");
  return /^\d+$/.test(status ?? "")
    ? ours.startsWith(`${status} `) && ours.includes(rest.join(" "))
    : ours === real;
}
