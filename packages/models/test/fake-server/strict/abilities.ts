/** Finds out by rendering small conversations what a template can do, as servers report in `chat_template_caps`. */
import type { JsonObject } from "@localharness/protocol";
import { type ChatTemplate, TemplateOverrun } from "./jinja.ts";
import type { LlamaServer } from "./llama-server.ts";

export interface Abilities {
  readonly supports_tools: boolean;
  readonly supports_tool_calls: boolean;
  readonly supports_parallel_tool_calls: boolean;
  readonly supports_system_role: boolean;
  readonly supports_preserve_reasoning: boolean;
  readonly supports_string_content: boolean;
  readonly supports_typed_content: boolean;
  readonly supports_object_arguments: boolean;
  /** Servers do not report this, but the older one uses it. */
  readonly tool_results: boolean;
  /** True if arguments given as text are rendered correctly. */
  readonly text_arguments: boolean;
}

const mark = { user: "MARK-USER", system: "MARK-SYSTEM", result: "MARK-RESULT", thought: "MARK-THOUGHT" };
const tool = (name: string): JsonObject => ({
  type: "function",
  function: {
    name,
    description: "Marks something.",
    parameters: {
      type: "object",
      properties: { marked: { type: "string", description: "What to mark." } },
      required: ["marked"],
    },
  },
});

export function abilitiesOf(template: ChatTemplate, server: LlamaServer): Abilities {
  try {
    return found(template, server);
  } catch (error) {
    if (error instanceof TemplateOverrun) return none;
    throw error;
  }
}

const none: Abilities = {
  supports_tools: false,
  supports_tool_calls: false,
  supports_parallel_tool_calls: false,
  supports_system_role: false,
  supports_preserve_reasoning: false,
  supports_string_content: false,
  supports_typed_content: false,
  supports_object_arguments: false,
  tool_results: false,
  text_arguments: false,
};

function found(template: ChatTemplate, server: LlamaServer): Abilities {
  const asText = prompt(template, [user(mark.user)])?.includes(mark.user) === true;
  const parts = prompt(template, [user([{ type: "text", text: mark.user }])]);
  const asParts = parts?.includes(mark.user) === true && !parts.includes('"type"');
  const typed = !asText && asParts;
  const text = (content: string) => (typed ? [{ type: "text", text: content }] : content);
  const ask = user(text(mark.user));
  // Servers also check what the template writes beside calls.
  const nulls = prompt(template, [ask, { role: "assistant", content: null }, ask])?.includes(mark.user);
  const content = server === "2025-08" && nulls === true ? null : "";
  const withCalls = (calls: readonly JsonObject[], results: readonly JsonObject[] = []) =>
    prompt(
      template,
      [ask, { role: "assistant", content, tool_calls: [...calls] }, ...results, said, ask],
      [tool("mark_it")],
    );
  const said = { role: "assistant", content: text("It is marked.") };
  const result = { role: "tool", name: "mark_it", content: text(mark.result), tool_call_id: "call00001" };
  const byObject = withCalls([call(1, { pressed: "yes" })], [result]);
  const byText = withCalls([call(1, '{"pressed":"yes"}')], [result]);
  const either = byObject ?? byText;
  const args = hasArguments(byObject) ? { pressed: "yes" } : '{"pressed":"yes"}';
  const both = withCalls([call(1, args), call(2, args, "mark_two")], [result]);
  const toolsAlone = prompt(template, [ask], [tool("mark_it")]);
  // No tool has this argument, so its name in the prompt must come from the call.
  const calls = hasArguments(byObject) || hasArguments(byText);
  return {
    supports_tools: either !== undefined && toolsAlone?.includes("mark_it") === true,
    supports_tool_calls: calls,
    supports_parallel_tool_calls: both?.includes("mark_two") === true,
    supports_system_role:
      prompt(template, [{ role: "system", content: text(mark.system) }, ask])?.includes(mark.system) === true,
    supports_preserve_reasoning:
      prompt(template, [ask, { ...said, reasoning_content: mark.thought }, ask])?.includes(mark.thought) ===
      true,
    supports_string_content: asText,
    supports_typed_content: typed,
    supports_object_arguments: hasArguments(byObject),
    tool_results: either?.includes(mark.result) === true,
    text_arguments: hasArguments(byText),
  };
}

function user(content: string | JsonObject[]): JsonObject {
  return { role: "user", content };
}

function call(place: number, args: string | JsonObject, name = "mark_it"): JsonObject {
  return { id: `call0000${place}`, type: "function", function: { name, arguments: args } };
}

/** Matches a key in JSON, in Python or in a tag, but not one that is escaped twice. */
function hasArguments(text: string | undefined): boolean {
  return text !== undefined && /pressed(["']?\s*[:=<>]|["'])/.test(text.replaceAll('\\"', "\u0001"));
}

function prompt(
  template: ChatTemplate,
  messages: readonly JsonObject[],
  tools: readonly JsonObject[] = [],
): string | undefined {
  try {
    return template.render({ ...usualVariables, messages, tools });
  } catch (error) {
    // Do not render a template without an end again.
    if (error instanceof TemplateOverrun) throw error;
    return undefined;
  }
}

/** Variables of every rendering besides the conversation. */
export const usualVariables: Readonly<Record<string, unknown>> = {
  bos_token: "<s>",
  eos_token: "</s>",
  add_generation_prompt: true,
  date_string: "01 Jan 2026",
  datetime: "Jan 01 2026",
};
