/** Checks how the parts of a server's result become the output of a tool. */
import { expect, test } from "vitest";
import { resultOutput } from "../src/tools/result-output.ts";

const text = (words: string) => ({ type: "text", text: words });
const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=";
const data = Buffer.from("four").toString("base64");

const cases: readonly (readonly [what: string, result: object, output: object])[] = [
  ["a text", { content: [text("a")] }, { ok: true, data: "a" }],
  ["two texts", { content: [text("a"), text("b")] }, { ok: true, data: "a\nb" }],
  ["nothing", { content: [] }, { ok: true, data: "(The tool returned nothing.)" }],
  ["no content", {}, { ok: true, data: "(The tool returned nothing.)" }],
  [
    "an image",
    { content: [text("a dot:"), { type: "image", data: dot, mimeType: "image/jpeg" }] },
    {
      ok: true,
      data: "a dot:\n[image image/jpeg, 68 bytes]",
      images: [{ mediaType: "image/png", data: dot, name: "s 1" }],
    },
  ],
  [
    "more images than fit",
    { content: Array.from({ length: 11 }, () => ({ type: "image", data: dot, mimeType: "image/png" })) },
    {
      ok: true,
      data: expect.stringMatching(
        /^(\[image image\/png, 68 bytes\]\n){10}\[image image\/png, 68 bytes: it does not fit\]$/,
      ),
      images: expect.objectContaining({ length: 10 }),
    },
  ],
  [
    "what is no image",
    { content: [{ type: "image", data, mimeType: "image/png" }] },
    { ok: true, data: "[image image/png, 4 bytes: it cannot be shown to the model]" },
  ],
  [
    "a resource link",
    { content: [{ type: "resource_link", uri: "file:///a", name: "a", description: "the letter" }] },
    { ok: true, data: "[resource file:///a: a: the letter]" },
  ],
  [
    "a resource with text",
    { content: [{ type: "resource", resource: { uri: "file:///a", text: "inside" } }] },
    { ok: true, data: "file:///a:\ninside" },
  ],
  [
    "a binary resource",
    { content: [{ type: "resource", resource: { uri: "file:///a", mimeType: "x/y", blob: data } }] },
    { ok: true, data: "[file:///a x/y, 4 bytes: it is not text]" },
  ],
  [
    "an unknown part",
    { content: [{ type: "smell" }, 5] },
    { ok: true, data: '[a part of the unknown type "smell"]\n' },
  ],
  [
    "structured content beside another text",
    { content: [text("two")], structuredContent: { n: 2 } },
    { ok: true, data: 'two\n{"n":2}', details: { n: 2 } },
  ],
  [
    "structured content that a text repeats",
    { content: [text('{ "n": 2 }')], structuredContent: { n: 2 } },
    { ok: true, data: '{ "n": 2 }', details: { n: 2 } },
  ],
  [
    "an error",
    { content: [text("no such file")], isError: true },
    { ok: false, errorType: "internal_error", message: "no such file" },
  ],
  [
    "an error without words",
    { content: [], isError: true },
    {
      ok: false,
      errorType: "internal_error",
      message: "the tool of the MCP server s failed without saying why",
    },
  ],
];

test.each(cases)("%s", (_what, result, output) => {
  expect(resultOutput(result as never, "s", (whole) => whole)).toEqual(output);
});

test("a long result is cut", () => {
  expect(resultOutput({ content: [text("long")] }, "s", (whole) => whole.slice(0, 2))).toEqual({
    ok: true,
    data: "lo",
  });
});
