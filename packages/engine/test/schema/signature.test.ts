import { describe, expect, it } from "vitest";
import { HarnessError, type ValueSchema, validateInput } from "../../src/index.ts";
import { functionSignature } from "../../src/schema/signature.ts";
import { makeTool } from "../make-tool.ts";

const source = `
import { x } from "./x.ts";
interface Options {
  /** Where to look. */
  path: string;
  /** How deep. @minimum 1 @maximum 9 */
  readonly depth?: Integer;
  kind?: "file" | 'dir';
  tags: readonly string[];
  nested?: { a: number | null; b: Array<boolean> };
}
type Size = 1 | 2 | 3;
/** Looks around,
 *  in two lines.
 * @tool
 */
export async function lookAround({ path, depth = 3 }: Options, context: ToolContext): Promise<string> { return path; }
/**
 * Adds.
 * @param a - The first.
 * @param b The second.
 */
function addUp(a: number, b: number = [1, 2].length, size?: Size, labels: Record<string, string> = {}): string { return ""; }
export function now(context: ToolContext): string { return ""; }
import { type Far } from "./far.ts";
function imported(far: Far): string { return ""; }
function bad(when: Date): string { return ""; }
`;

describe("a signature derived from a typed function (Ralph: dynamic tool schema generation from docstrings)", () => {
  it("reads one object parameter with the doc comments of its properties", () => {
    expect(functionSignature(source, "lookAround")).toEqual({
      name: "lookAround",
      description: "Looks around, in two lines.",
      parameters: {
        type: "object",
        properties: {
          path: { type: "string", description: "Where to look." },
          depth: { type: "integer", description: "How deep.", minimum: 1, maximum: 9 },
          kind: { type: "string", enum: ["file", "dir"] },
          tags: { type: "array", items: { type: "string" } },
          nested: {
            type: "object",
            properties: {
              a: { anyOf: [{ type: "number" }, { type: "null" }] },
              b: { type: "array", items: { type: "boolean" } },
            },
            required: ["a", "b"],
          },
        },
        required: ["path", "tags"],
      },
    });
  });

  it("reads positional parameters with @param, optional ones and defaults", () => {
    expect(functionSignature(source, "addUp")).toEqual({
      name: "addUp",
      description: "Adds.",
      parameters: {
        type: "object",
        properties: {
          a: { type: "number", description: "The first." },
          b: { type: "number", description: "The second." },
          size: { type: "number", enum: [1, 2, 3] },
          labels: { type: "object", additionalProperties: { type: "string" } },
        },
        required: ["a"],
      },
      positional: ["a", "b", "size", "labels"],
    });
  });

  it("takes a lone context for no parameters", () => {
    expect(functionSignature(source, "now").parameters).toEqual({ type: "object", properties: {} });
  });

  it.each([
    ["imported", /Far, which this source does not declare/],
    ["bad", /Date, which this source does not declare/],
    ["gone", /found no such function/],
  ])("says what is wrong with %s", (name, message) => {
    expect(() => functionSignature(source, name)).toThrow(message);
  });

  const broken: readonly (readonly [what: string, source: string, said: string])[] = [
    [
      "a type that holds itself",
      "interface A { next: A }\nfunction f(a: A) {}",
      "the type A, which holds itself",
    ],
    [
      "two that hold each other",
      "type A = B[];\ntype B = { a?: A };\nfunction f(a: A) {}",
      "the type A, which holds",
    ],
    ["an open brace", "function f({ a, b", 'the end where "}" is expected'],
    ["an open object", "function f(a: { b: string", "found the end"],
    ["an open list", "function f(a: string,", 'the end where ":" is expected'],
    ["an open default", "function f(a: string = [1, ", 'the end where ":" is expected'],
    [
      "a default that is no JSON",
      "function f(o: { /** @default none */ a: string }) {}",
      "@default none where JSON",
    ],
    [
      "a limit that is no number",
      "function f(o: { /** @minimum few */ a: number }) {}",
      "@minimum few where a number",
    ],
  ];
  it.each(broken)("refuses %s", (_what, text, said) => {
    expect(() => functionSignature(text, "f")).toThrow(HarnessError);
    expect(() => functionSignature(text, "f")).toThrow(said);
  });

  it.each<[what: string, type: string, schema: ValueSchema]>([
    ["of one type", `"x" | "y"`, { type: "string", enum: ["x", "y"] }],
    ["alone", "true", { type: "boolean", enum: [true] }],
    ["of two types", `"x" | 1`, { anyOf: [{ const: "x" }, { const: 1 }] }],
    ["with a truth", `true | "auto"`, { anyOf: [{ const: true }, { const: "auto" }] }],
  ])("reads literals %s as a schema that each of them fits", (_what, type, schema) => {
    const { parameters } = functionSignature(`function f(a: ${type}) {}`, "f");
    expect(parameters.properties["a"]).toEqual(schema);
    for (const value of schema.enum ?? (schema.anyOf ?? []).map((one) => one.const ?? null)) {
      expect(validateInput(makeTool({ parameters }), { a: value })).toMatchObject({
        arguments: { a: value },
      });
    }
  });

  it.each([`"("`, `")"`, `","`, `"}"`, `""`, `["]", (1)]`, `{ "{": "," }`])(
    "skips the default %s",
    (value) => {
      const { parameters } = functionSignature(`function f(a: string = ${value}, b: number) {}`, "f");
      expect(parameters).toEqual({
        type: "object",
        properties: { a: { type: "string" }, b: { type: "number" } },
        required: ["b"],
      });
    },
  );

  it("reads a type that is in two places", () => {
    const { parameters } = functionSignature("type T = string;\nfunction f(a: T, b: T[]) {}", "f");
    expect(parameters.properties).toEqual({
      a: { type: "string" },
      b: { type: "array", items: { type: "string" } },
    });
  });
});
