/** The reason of a refusal, whatever its keys are. */
import { describe, expect, test } from "vitest";
import { growth } from "../../../../test/measures.ts";
import { errorText, reasonOfBody } from "../../src/server-words/reason.ts";

test.each<[title: string, body: unknown, reason: string | undefined]>([
  ["FastAPI: one sentence", { detail: "No such adapter" }, "No such adapter"],
  [
    "FastAPI: a list",
    {
      detail: [
        {
          type: "missing",
          loc: ["body", "model"],
          msg: "Field required",
          input: { messages: "a long request" },
        },
        {
          type: "extra_forbidden",
          loc: ["body", "tools", 0, "strict"],
          msg: "Extra inputs are not permitted",
        },
      ],
    },
    "body.model: Field required; body.tools.0.strict: Extra inputs are not permitted",
  ],
  [
    "NestJS",
    { statusCode: 400, message: ["a is empty", "b is long"], error: "Bad Request" },
    "a is empty; b is long",
  ],
  [
    "a problem report",
    { type: "about:blank", title: "Bad Request", status: 400, detail: "top_k is not known" },
    "top_k is not known",
  ],
  [
    "a list of errors",
    { errors: [{ code: 3, message: "too hot" }, { message: "too cold" }] },
    "too hot; too cold",
  ],
  ["errors by field", { message: "Invalid.", errors: { tools: ["too many"] } }, "Invalid.; tools: too many"],
  ["a reason beside a code", { error: { code: 400, reason: "no adapter" } }, "no adapter"],
  [
    "a gateway that quotes its provider",
    {
      error: {
        message: "Provider returned error",
        code: 400,
        metadata: { raw: '{"error":{"message":"max is 3 tools"}}', provider_name: "P" },
      },
    },
    "max is 3 tools",
  ],
  [
    "Google",
    {
      error: {
        code: 400,
        message: "Invalid value",
        status: "INVALID_ARGUMENT",
        details: [{ fieldViolations: [{ field: "tools[0]", description: "unknown type" }] }],
      },
    },
    "Invalid value; tools[0]: unknown type",
  ],
  ["only a status phrase", { error: "Bad Request" }, "Bad Request"],
  ["the same words twice", { error: { message: "gone" }, message: "gone" }, "gone"],
  [
    "no known key",
    { status: "fail", info: { text: "the adapter is not loaded", id: "x" } },
    "the adapter is not loaded",
  ],
  ["a list", [{ error: { message: "quota" } }], "quota"],
  ["nothing", { error: {}, code: 400 }, undefined],
])("%s", (_title, body, reason) => {
  expect(errorText(body)).toBe(reason);
  expect(reasonOfBody(JSON.stringify(body))).toBe(reason ?? JSON.stringify(body));
});

describe("the text of a body", () => {
  test.each([
    ["plain words", "plain words"],
    ["", ""],
    ['data: {"error": {"message": "no room"}}\n\n', "no room"],
    ['{"status": "starting"}\n{"error": "no room"}\n', "no room"],
    [
      "<html><head><title>502 Bad Gateway</title></head></html>",
      "a web page instead of JSON: 502 Bad Gateway",
    ],
    [
      "<!DOCTYPE html><html><style>p { a: b }</style><script>let a = '<p>';</script><p>Too&nbsp;<b>large</b>",
      "a web page instead of JSON: Too large",
    ],
    [`<html>${"word ".repeat(100)}`, expect.stringMatching(/^a web page instead of JSON: (word )+.{0,4}…$/)],
    ["<html></html>", "a web page instead of JSON"],
  ])("%j", (body, reason) => {
    expect(reasonOfBody(body)).toEqual(reason);
  });

  test.each(["<html><script ", "<html><style>a<", '{"a":{"b":'])(
    "takes time in proportion to its length: %j",
    async (piece) => {
      const read = (times: number) => () => reasonOfBody(`<html>${piece.repeat(times)}`);
      expect(await growth(read(1_000), read(8_000), 24)).toBeLessThan(24);
    },
  );
});
