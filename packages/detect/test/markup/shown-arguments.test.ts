/**
 * Arguments that are not JSON are shown as JSON while they arrive: joined, the pieces are the arguments of the call,
 * however the text is cut.
 */
import { describe, expect, test } from "vitest";
import {
  createDetector,
  type DetectEvent,
  detect,
  type FormatId,
  mergeDeltas,
  toMessages,
  type WrittenTurn,
} from "../../src/index.ts";

const text = { type: "string" };
const tools = [
  {
    name: "write_file",
    parameters: {
      type: "object",
      properties: {
        path: text,
        content: text,
        mode: { type: ["string", "null"] },
        lines: { type: "integer" },
        tags: { type: "array", items: text },
        options: { type: "object", properties: { force: { type: "boolean" } } },
      },
      required: ["path", "content"],
    },
  },
  { name: "git_status", parameters: { type: "object", properties: {} } },
  {
    name: "open",
    parameters: {
      anyOf: [
        { type: "object", properties: { kind: { const: "a" }, size: { type: "integer" } } },
        { type: "object", properties: { kind: { const: "b" }, size: text } },
      ],
    },
  },
  { name: "closed", parameters: { type: "object", properties: { a: text }, additionalProperties: false } },
];

function read(pieces: Iterable<string>): DetectEvent[] {
  const detector = createDetector({ tools });
  const events = [...pieces].flatMap((piece) => detector.push(piece));
  return [...events, ...detector.end()];
}

/** All that is shown of one call, joined. */
function shownOf(events: readonly DetectEvent[], index: number): string {
  return events
    .map((event) => (event.type === "tool-call-delta" && event.index === index ? event.argumentsText : ""))
    .join("");
}

/** Holds every call of the reply to its arguments, also read one character at a time. Returns what was shown. */
function expectShown(reply: string, calls: number): string[] {
  const whole = detect(reply, { tools });
  const ends = whole.flatMap((event) => (event.type === "tool-call-end" ? [event] : []));
  expect(ends).toHaveLength(calls);
  for (const end of ends) expect(JSON.parse(shownOf(whole, end.index))).toEqual(end.arguments);
  expect(mergeDeltas(read(reply.split("")))).toEqual(whole);
  return ends.map((end) => shownOf(whole, end.index));
}

function expectShownInPieces(reply: string, calls: number): string[] {
  const whole = detect(reply, { tools });
  for (let index = 1; index < reply.length; index += 1) {
    const events = read([reply.slice(0, index), reply.slice(index)]);
    expect(mergeDeltas(events), `split at ${index}`).toEqual(whole);
  }
  return expectShown(reply, calls);
}

const encodings: readonly FormatId[] = [
  "qwen-coder",
  "seed-oss",
  "minimax",
  "minimax-m3",
  "dsml",
  "step3",
  "minicpm",
  "glimmer",
  "kimi-k3",
  "glm",
  "functiongemma",
  "gemma",
  "lfm2",
  "olmo3",
  "morph-xml",
  "yaml-xml",
];

type Arguments = WrittenTurn["calls"][number]["arguments"];

function written(format: FormatId, args: Arguments): string {
  const calls = [
    { id: "1", name: "write_file", arguments: args },
    { id: "2", name: "git_status", arguments: {} },
  ];
  return toMessages(format, { text: "", calls, results: [] })[0]?.content ?? "";
}

/** What has been shown when the reply has come so far, one character at a time. */
function shownSoFar(reply: string, length: number): { readonly shown: string; readonly count: number } {
  const detector = createDetector({ tools });
  const events = reply
    .slice(0, length)
    .split("")
    .flatMap((letter) => detector.push(letter));
  return { shown: shownOf(events, 0), count: events.length };
}

const line = '  if (a < b && c > "d") { /* 🙂 */ }\n';
const awkward = ["", " ", "\n", "null", "nulls", "\r\n\r\nx \r\n", " &lt; &am", "}", "a</", "x\ud83d"];

describe.each(encodings)("%s", (format) => {
  test("joined the shown text is the arguments, however the reply is cut", () => {
    const content = " x\n\n  <b>&amp;</b> }} \\n é🙂\n";
    const args = { path: "a.txt", content, mode: null, lines: 3, tags: ["a", "b"], options: { force: true } };
    expectShownInPieces(written(format, args), 2);
  });

  test.each(awkward)("joined the shown text is the arguments for a text of %j", (content) => {
    expectShown(written(format, { path: content, content, mode: content, tags: [content] }), 2);
  });

  test("a finished argument is shown before the next one is whole", () => {
    const reply = written(format, { path: "a.txt", lines: 3, content: "the text".padEnd(300, ".") });
    const cut = reply.indexOf("the text") + 4;
    const later = detect(reply.slice(0, cut + 250), { tools });
    expect(shownSoFar(reply, cut + 250).shown).toBe(shownOf(later, 0));
    expect(shownSoFar(reply, cut).shown).toMatch(/^\{"path":"a\.txt","lines":3(?:,"content":"the ?)?$/);
  });

  test("a long text is shown while it comes, in many pieces", () => {
    const isYaml = format === "yaml-xml";
    const reply = isYaml
      ? `<write_file>\npath: a.txt\ncontent: |\n${`  ${line}`.repeat(40)}</write_file>`
      : written(format, { path: "a.txt", content: line.repeat(40) });
    const { shown, count } = shownSoFar(reply, Math.floor(reply.length / 2));
    expect(count).toBeGreaterThan(15);
    expect(shown).toContain(
      JSON.stringify(isYaml ? line.trimStart().repeat(2) : line.repeat(14)).slice(1, 40),
    );
    expect(shown.split("🙂").length).toBeGreaterThan(14);
    expectShown(reply, isYaml ? 1 : 2);
  });
});

/** Replies whose arguments are not what their beginning says. */
const turns: readonly (readonly [string, string, string])[] = [
  [
    "an argument given twice, where the last one counts",
    '<function name="write_file"><param name="path">a</param><param name="content">b</param><param name="path">c</param></function>',
    '{"path":"a","content":"b","path":"c"}',
  ],
  [
    "an argument given twice, where both are a list",
    "<function=write_file><parameter=path>a</parameter><parameter=content>b</parameter><parameter=tags>c</parameter><parameter=tags>d</parameter></function>",
    '{"path":"a","content":"b","tags":["c"],"tags":["c","d"]}',
  ],
  [
    "an end tag with text behind it",
    "<tool_call><function=write_file><parameter=path>a</parameter><parameter=content>x</parameter> y</parameter></function></tool_call>",
    '{"path":"a","content":"x</parameter> y"}',
  ],
  [
    "a section as the value",
    '<function name="write_file"><param name="path"> <![CDATA[a]]></param><param name="content">b</param></function>',
    '{"path":"a","content":"b"}',
  ],
  [
    "a value without an end tag",
    "<tool_call>write_file<arg_key>path</arg_key><arg_value>a \n<arg_key>content</arg_key><arg_value>b</arg_value></tool_call>",
    '{"path":"a","content":"b"}',
  ],
  [
    "all arguments in one that the tool does not have",
    '<tool_call><function=write_file><parameter=arguments>{"path": "a", "content": "b"}</parameter></function></tool_call>',
    '{"path":"a","content":"b"}',
  ],
  [
    "JSON in place of the tags",
    '<tool_call><function=write_file>{"path": "a", "content": "b"}</function></tool_call>',
    '{"path":"a","content":"b"}',
  ],
  [
    "parameters that are a union",
    "<tool_call><function=open><parameter=size>5</parameter><parameter=kind>a</parameter></function></tool_call>",
    '{"size":5,"kind":"a"}',
  ],
  [
    "a key that the tool forbids",
    "<tool_call><function=closed><parameter=b>1</parameter><parameter=a>2</parameter></function></tool_call>",
    '{"a":"2"}',
  ],
  [
    "a key in other letters",
    "<tool_call><function=closed><parameter=A>1</parameter></function></tool_call>",
    '{"a":"1"}',
  ],
  [
    "a text in XML that ends at a tag inside it",
    "<write_file><content>b</content><path>a <i>b</write_file>",
    '{"content":"b","path":"a <i>b","path":"a","i":"b"}',
  ],
  [
    "a section in XML",
    "<write_file><path>a</path><content><![CDATA[b </content> c]]></content></write_file>",
    '{"path":"a","content":"b </content> c"}',
  ],
  [
    "a block in YAML that is none at last",
    "<write_file>\npath: a\ncontent: |\n  b\nc\n</write_file>",
    '{"path":"a","content":"b\\n","content":"|\\n  b\\nc\\n"}',
  ],
  [
    "a text without its closing token",
    '<|tool_call>call:write_file{path:<|"|>a<|"|>,content:<|"|>b}}<tool_call|>',
    '{"path":"a","content":"b"}',
  ],
  [
    "strings of Python side by side",
    "<function_calls>write_file(path='a' 'b', content='''c\\n'd''')</function_calls>",
    '{"path":"ab","content":"c\\n\'d"}',
  ],
];

test.each(turns)("%s is shown as it is at last", (_name, reply, shown) => {
  expect(expectShownInPieces(reply, 1)).toEqual([shown]);
});
