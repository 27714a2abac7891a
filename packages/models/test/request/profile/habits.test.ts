import { describe, expect, it } from "vitest";
import { fromStatus } from "../../../src/answer/failure.ts";
import {
  type Habit,
  habitRows,
  habitsOfTemplate,
  isTemplateRefusal,
} from "../../../src/request/profile/habits.ts";
import { createProfile } from "../../../src/request/profile/model-profile.ts";

const refusals: readonly (readonly [status: number, words: string, habit: Habit])[] = [
  [400, "Tool call IDs should be alphanumeric strings with length 9!", "nine-character-ids"],
  [
    500,
    "Tool call IDs should be alphanumeric strings with length 9! at row 91, column 40:",
    "nine-character-ids",
  ],
  [500, "Trying to call method 'lstrip' on null at row 41, column 128:", "empty-part"],
  [500, "Trying to access property '0' on null! at row 74, column 16:", "empty-part"],
  [400, 'can only concatenate str (not "NoneType") to str', "empty-part"],
  [400, "This model only supports single tool-calls at once!", "one-call-a-message"],
  [422, "The id of a call must be letters and digits with a length of 9.", "nine-character-ids"],
  [400, "Unexpected role 'system' after role 'tool'", "alternating-roles"],
  [400, "Conversation roles must alternate user/assistant/user/assistant/...", "alternating-roles"],
  [
    500,
    "After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.",
    "alternating-roles",
  ],
  [500, "System role not supported at row 1, column 60:", "no-system-role"],
  [
    500,
    "Cannot pass both content and thinking in an assistant message with tool calls! Put the analysis message in one",
    "no-thought-beside-text",
  ],
  [400, "Unknown field: reasoning_content", "no-thoughts"],
  [422, "messages.3.assistant.reasoning_details: Extra inputs are not permitted", "no-thoughts"],
  [400, "The reasoning_content of the thinking mode has to be passed back.", "thoughts-with-calls"],
  [400, "reasoning_content is missing in the assistant message with calls at index 4", "thoughts-with-calls"],
  [400, "Messages with calls must include reasoning_content", "thoughts-with-calls"],
  [400, "The call of ls lacks its thought_signature.", "signed-calls"],
  [
    500,
    "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
    "no-images",
  ],
  [500, "this model is missing data required for image input", "no-images"],
  [400, "This model does not support images. Images were found in message 2.", "no-images"],
  [
    400,
    "Message has tool role, but there was no previous assistant message with a tool call!",
    "results-as-user",
  ],
];

const named = (words: string) => habitRows.filter(({ refusal }) => refusal?.test(words)).map(({ id }) => id);

describe("a refusal names a habit", () => {
  it.each(refusals)("%i %s: %s", (status, words, habit) => {
    expect(named(words)).toEqual([habit]);
    expect(fromStatus(status, words, "S")).toMatchObject({
      code: "bad-request",
      retryable: false,
      said: words,
    });
  });

  it.each([
    [500, "out of memory"],
    [500, "Cannot read properties of null (reading 'x')"],
    [503, "busy"],
    [500, "internal error: context deadline exceeded"],
  ])("%i %s is about something else", (status, words) => {
    expect(named(words)).toEqual([]);
    expect(isTemplateRefusal(words)).toBe(false);
    expect(fromStatus(status, words, "S")).toMatchObject({ code: "server-error", retryable: true });
  });

  it("a model that is being loaded is not a refusal", () => {
    expect(fromStatus(503, "Loading model", "S")).toMatchObject({ loading: true, retryable: true });
    expect(fromStatus(400, "Loading model", "S").loading).toBeUndefined();
  });
});

describe("a template shows its habits", () => {
  const withTools =
    "{% for tool in tools %}{{ tool }}{% endfor %}{% for call in m.tool_calls %}{{ call }}{% endfor %}";
  it.each<readonly [text: string, capabilities: Record<string, unknown>, habits: readonly Habit[]]>([
    [`${withTools}{% if m.id|length != 9 %}`, {}, ["nine-character-ids"]],
    [`${withTools}{{ raise_exception("roles must alternate user/assistant") }}`, {}, ["alternating-roles"]],
    [withTools, { supports_parallel_tool_calls: false }, ["one-call-a-message"]],
    [withTools, { supports_system_role: false, supports_tools: true }, ["no-system-role"]],
    [withTools, { supports_tools: false }, ["no-tools", "results-as-user"]],
    ["{{ messages }}", {}, ["no-tools", "results-as-user"]],
    ["{{ messages }}{{ tool_calls }}", { supports_tools: true }, []],
    ["{{ messages }}", { supports_tools: true }, ["no-tools", "results-as-user"]],
    [withTools, { supports_tool_calls: false }, ["no-tools", "results-as-user"]],
    ["{{ tools }}{{ messages }}", {}, ["no-tools", "results-as-user"]],
    ["{{ .Messages }} {{ .Tools }} {{ .ToolCalls }}", {}, []],
    ["{{ tools }}{% set call = message.tool_calls[0] %}", {}, ["one-call-a-message"]],
    ["{{ tools }}{% set call = message['tool_calls'] | first %}", {}, ["one-call-a-message"]],
    [`${withTools}{% if message.tool_calls[0].type %}`, {}, []],
    [
      `${withTools}{% if message['role'] == 'assistant' and message['content'] is none %}`,
      {},
      ["null-beside-calls"],
    ],
    [
      `${withTools}{% if message.role == 'assistant' and not message.content %}`,
      {},
      ["calls-without-content"],
    ],
    [`${withTools}{{ message['content'][0]['text'] }}`, {}, ["no-thoughts"]],
    ["", {}, []],
    [withTools, {}, []],
  ])("%s %j: %j", (text, capabilities, habits) => {
    expect(habitsOfTemplate(text, capabilities)).toEqual(habits);
  });
});

describe("a profile", () => {
  it("recalls what an earlier run has learnt, unless the server reports otherwise about tools", () => {
    const profile = createProfile(["empty-part"], ["no-tools", "nine-character-ids", "unknown"]);
    expect([...profile.habits]).toEqual(["empty-part", "nine-character-ids", "no-tools"]);
    profile.tell({ template: "{{ tools }}{{ tool_calls }}", canSee: false });
    expect([...profile.habits]).toEqual(["empty-part", "no-images", "nine-character-ids"]);
  });
});
