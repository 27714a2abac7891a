/** Rules for every text: nothing is thrown, nothing is lost, nothing takes more than linear time. */
import { describe, expect, test } from "vitest";
import { growth } from "../../../test/measures.ts";
import { createDetector, detect, formats, summarize, type ToolSchema } from "../src/index.ts";
import { readPieces, sampleTools } from "./format-contract.ts";

/** A small generator of numbers in [0, 1) with a seed, so that a failure can be repeated. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const scraps = [
  "{",
  "}",
  "[",
  "]",
  '"',
  "'",
  "\\",
  "\n",
  "<",
  ">",
  "`",
  "```",
  "</",
  "<think>",
  "</think>",
  "\0",
  "\ud800",
  ",",
];

function mutate(text: string, random: () => number): string {
  let mutated = text;
  for (let count = 1 + Math.floor(random() * 4); count > 0; count -= 1) {
    const at = Math.floor(random() * (mutated.length + 1));
    const length = random() < 0.5 ? Math.floor(random() * 6) : 0;
    const scrap = random() < 0.6 ? (scraps[Math.floor(random() * scraps.length)] ?? "") : "";
    mutated = mutated.slice(0, at) + scrap + mutated.slice(at + length);
  }
  return mutated;
}

describe("mutated calls", () => {
  const runs = Number(process.env["FUZZ_RUNS"] ?? 4000);
  test(`${runs} of them throw nothing and read the same in pieces`, () => {
    const random = randomNumbers(Number(process.env["FUZZ_SEED"] ?? 7));
    const examples = formats.map((format) => format.example);
    for (let run = 0; run < runs; run += 1) {
      const first = examples[Math.floor(random() * examples.length)] ?? "";
      const second = examples[Math.floor(random() * examples.length)] ?? "";
      const text = mutate(random() < 0.5 ? `Words. ${first}` : `${first}\n${second} end`, random);
      const whole = detect(text, { tools: sampleTools });
      const cut = Math.floor(random() * text.length);
      const pieces = random() < 0.2 ? text.split("") : [text.slice(0, cut), text.slice(cut)];
      expect(readPieces(pieces, { tools: sampleTools }), JSON.stringify(text)).toEqual(whole);
    }
  });
});

describe("text without a call", () => {
  test.each([
    ["an empty text", ""],
    ["control characters and half pairs", "a\0b\ud800c\udc00d\ufffe"],
    ["angle brackets", "if (a < b && c > d) { return [1, 2]; }"],
    ["Markdown", "# Title\n\n- [link](a.md)\n- `code`\n\n| a | b |\n|---|---|\n"],
    ["a source file", 'import { a } from "b";\nexport const c = { name: "read_file", run: (x) => a(x) };\n'],
    ["HTML", '<div class="a"><p>Text</p><!-- note --></div>'],
    ["a package file", '{\n  "name": "read_file",\n  "version": "1.0.0",\n  "scripts": { "test": "x" }\n}'],
    ["half of everything", '<tool_ca <|tool [TOOL ```js {"na to= <thi'],
  ])("%s comes out as it went in", (_name, text) => {
    expect(summarize(readPieces(text.split(""), { tools: sampleTools }))).toEqual({
      calls: [],
      errors: [],
      text,
      reasoning: "",
    });
  });
});

describe("time", () => {
  const tools = [...sampleTools, { name: "any_tool" }];
  const long = "const a = b < c;\\n";
  const hostile: readonly (readonly [string, (size: number) => string])[] = [
    [
      "an argument",
      (n) => `<tool_call>{"name":"write_file","arguments":{"path":"a","content":"${long.repeat(n / 20)}"}}`,
    ],
    [
      "a tagged argument",
      (n) => `<function=write_file><parameter=content>${long.repeat(n / 20)}</parameter></function>`,
    ],
    ["openers", (n) => "<tool_call>".repeat(n / 11)],
    ["openers with braces", (n) => '<tool_call>{"name":'.repeat(n / 19)],
    ["nested objects", (n) => '{"arguments":'.repeat(n / 13)],
    ["brackets", (n) => "[".repeat(n)],
    ["quotes", (n) => `<tool_call>{"name":"read_file","arguments":{"path":"${'" '.repeat(n / 2)}`],
    ["fences", (n) => "```\n".repeat(n / 4)],
    ["tags of a tool", (n) => "<read_file><path>".repeat(n / 17)],
    [
      "end tags of a tool in a text",
      (n) => `<read_file><path>${"</read_file> ".repeat(n / 13)}</path></read_file>`,
    ],
    ["end tags of a tool in half a text", (n) => `<read_file><path>${"<path></read_file> ".repeat(n / 19)}`],
    ["texts with end tags of a tool", (n) => `<read_file>${"<path></read_file>x</path>".repeat(n / 26)}`],
    ["parameters without ends", (n) => "<function=read_file><parameter=path>x</parameter> y ".repeat(n / 52)],
    ["parameters of one name", (n) => `<function=read_file>${"<parameter=path>x".repeat(n / 17)}`],
    ["calls in arguments", (n) => "<function=read_file><parameter=path>x".repeat(n / 37)],
    ["comments", (n) => "<tool_call>{a:/*".repeat(n / 16)],
    ["thoughts", (n) => "<think>\n<tool_call>{".repeat(n / 20)],
    ["ends of thoughts in a fence", (n) => `\`\`\`\nx\n${"</think>".repeat(n / 8)}`],
    ["calls in one frame", (n) => `<tool_call>${'{"name":"git_status"} '.repeat(n / 4)}`],
    ["calls in one list", (n) => `<|python_start|>[${"git_status(), ".repeat(n / 4)}`],
    ["unknown calls in one list", (n) => `<|python_start|>[${"git_x(), ".repeat(n / 4)}git_status()]`],
    [
      "headers of messages",
      (n) => `<|start|>a${" to=a<|channel|>  json".repeat(9)} !<|message|>`.repeat(n / 220),
    ],
    [
      "quotation marks in a name",
      (n) => `<tool_call>{"name":"${"'".repeat(n)}a","arguments":{}}</tool_call>`,
    ],
    ["elements of one name", (n) => `<any_tool>${"<x>1</x>".repeat(n / 8)}</any_tool>`],
    ["elements of two names", (n) => `<any_tool>${"<x>1</x><y>2</y>".repeat(n / 16)}</any_tool>`],
    ["elements without ends", (n) => `<any_tool>${"<x>".repeat(n / 3)}`],
    [
      "lines of a text that begins with one",
      (n) =>
        `<｜DSML｜invoke name="read_file"><｜DSML｜parameter name="path" string="true">${"\n<".repeat(n / 2)}`,
    ],
    ["braces in a text", (n) => `<|tool_call>call:read_file{path:<|"|>${"}".repeat(n)}a<tool_call|>`],
  ];
  test.each(hostile)("is linear for %s", async (_name, make) => {
    const read = (text: string) => {
      const detector = createDetector({ tools });
      for (let at = 0; at < text.length; at += 8) detector.push(text.slice(at, at + 8));
      detector.end();
    };
    const short = make(10_000);
    const long = make(80_000);
    const eight = () => {
      for (let run = 0; run < 8; run += 1) read(short);
    };
    // One text of eight times the length takes about as long as eight texts, and far less than eight times as long.
    expect(await growth(eight, () => read(long), 4)).toBeLessThan(4);
  });
});

describe("one format alone", () => {
  test("reads all calls of Llama 3, of which only the first has the tag", () => {
    const text =
      '<|python_tag|>{"name":"read_file","parameters":{"path":"a"}}; {"name":"read_file","parameters":{"path":"b"}}';
    const { calls, text: rest } = summarize(detect(text, { tools: sampleTools, format: "llama3" }));
    expect(calls.map((call) => call.arguments)).toEqual([{ path: "a" }, { path: "b" }]);
    expect(rest).toBe("");
  });
});

describe("the end", () => {
  test("a detector that has ended gives nothing more", () => {
    const detector = createDetector({ tools: sampleTools });
    detector.push("a");
    detector.end();
    expect([detector.push("b"), detector.end()]).toEqual([[], []]);
  });

  test("plain text is handed out with the piece it came in", () => {
    const detector = createDetector({ tools: sampleTools });
    expect(detector.push("Nothing to do ")).toEqual([{ type: "text-delta", text: "Nothing to do " }]);
  });

  test("arguments are handed out while they arrive", () => {
    const detector = createDetector({ tools: sampleTools });
    detector.push('<tool_call>{"name":"write_file","arguments":{"content":"one ');
    expect(detector.push("two ")).toEqual([{ type: "tool-call-delta", index: 0, argumentsText: "two " }]);
  });
});

describe("the tools on offer", () => {
  const text = "<git_status></git_status>";
  const nameOf = (tools: readonly ToolSchema[]) => summarize(detect(text, { tools })).calls[0]?.name;

  test("are those in the list when a detector is made, also when its owner has changed it", () => {
    const tools: { name: string }[] = [{ name: "git_log" }];
    expect(nameOf(tools)).toBeUndefined();
    tools.push({ name: "git_status" });
    expect(nameOf(tools)).toBe("git_status");
    tools[1] = { name: "git_diff" };
    expect(nameOf(tools)).toBeUndefined();
    if (tools[0]) tools[0].name = "git_status";
    expect(nameOf(tools)).toBe("git_status");
  });
});
