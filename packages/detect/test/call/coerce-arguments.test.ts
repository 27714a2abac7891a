/** Arguments of calls under names that the schema does not declare, and the repairs that are reported for them. */
import { describe, expect, test } from "vitest";
import { detect, type Repair, summarize } from "../../src/index.ts";

const string = { type: "string" };
const bash = { type: "object", properties: { command: string }, required: ["command"] };

describe("calls with other names", () => {
  const closed = { ...bash, additionalProperties: false };
  test.each<[string, object, object, object, readonly Repair[]]>([
    ["a synonym in an open schema", bash, { cmd: "ls" }, { command: "ls" }, ["argument-key"]],
    [
      "a synonym in a closed schema",
      closed,
      { cmd: "ls", note: "x" },
      { command: "ls" },
      ["argument-key", "dropped-key"],
    ],
    ["nothing is dropped while a required name is missing", closed, { foo: "ls" }, { foo: "ls" }, []],
    [
      "an id without quotes keeps its digits",
      bash,
      { command: "@12345678901234567890@" },
      { command: "12345678901234567890" },
      [],
    ],
    [
      "what is not declared is dropped",
      closed,
      { command: "ls", foo: 1 },
      { command: "ls" },
      ["dropped-key"],
    ],
  ])("%s", (_title, parameters, args, expected, repairs) => {
    const text = JSON.stringify({ name: "run", arguments: args }).replace(/"@|@"/g, "");
    const schema = parameters as { [key: string]: unknown };
    const { calls } = summarize(detect(text, { tools: [{ name: "run", parameters: schema }] }));
    expect(calls).toMatchObject([{ arguments: expected, repairs }]);
    expect(calls[0]?.arguments).toEqual(expected);
  });
});

test("a text in a tag gets the type of the schema, as in JSON, and is shown with it", () => {
  const properties = { unit: { enum: ["celsius"] }, note: string, days: { type: "array", items: string } };
  const tools = [{ name: "weather", parameters: { type: "object", properties } }];
  const tags = Object.entries({ unit: "Celsius", note: "null", days: "monday" });
  const parameters = tags.map(([name, value]) => `<parameter=${name}>\n${value}\n</parameter>`).join("\n");
  const events = detect(`<tool_call>\n<function=weather>\n${parameters}\n</function>\n</tool_call>`, {
    tools,
  });
  const shown = events.flatMap((event) => (event.type === "tool-call-delta" ? event.argumentsText : []));
  const expected = { unit: "celsius", note: "null", days: ["monday"] };
  expect(summarize(events).calls).toMatchObject([{ arguments: expected }]);
  expect(JSON.parse(shown.join(""))).toEqual(expected);
});
