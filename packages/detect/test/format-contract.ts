/**
 * The contract of every format: a text gives the same merged events read whole, split at every index and one
 * character at a time; text without a call comes out unchanged.
 */
import { describe, expect, test } from "vitest";
import {
  type CallFormat,
  createDetector,
  type DetectEvent,
  type DetectorOptions,
  detect,
  type JsonValue,
  mergeDeltas,
  type Repair,
  type ToolSchema,
} from "../src/index.ts";

export interface ContractCase {
  readonly name: string;
  readonly text: string;
  readonly events: readonly DetectEvent[];
  readonly options?: Partial<DetectorOptions>;
}

/** Tests the cases of one format: each is read whole, split at every index, and one UTF-16 unit at a time. */
export function formatContract(title: string, cases: readonly ContractCase[]): void {
  describe(title, () => {
    for (const { name, text: input, events, options } of cases) {
      test(name, () => {
        const all: DetectorOptions = { tools: sampleTools, ...options };
        expect(detect(input, all)).toEqual(events);
        expect(readPieces(input.split(""), all), "one character at a time").toEqual(events);
        for (let index = 1; index < input.length; index += 1) {
          const pieces = [input.slice(0, index), input.slice(index)];
          expect(readPieces(pieces, all), `split at ${index}`).toEqual(events);
        }
      });
    }
  });
}

/** Tests texts without a call: each comes out unchanged, as one text. */
export function textContract(
  title: string,
  texts: readonly string[],
  options: Partial<DetectorOptions> = {},
): void {
  formatContract(
    title,
    texts.map((input) => ({
      name: input.length > 60 ? `${input.slice(0, 60)}...` : input,
      text: input,
      events: [text(input)],
      options,
    })),
  );
}

export function readPieces(pieces: readonly string[], options: DetectorOptions): DetectEvent[] {
  const detector = createDetector(options);
  const events = pieces.flatMap((piece) => detector.push(piece));
  return mergeDeltas([...events, ...detector.end()]);
}

export const text = (value: string): DetectEvent => ({ type: "text-delta", text: value });
export const reasoning = (value: string): DetectEvent => ({ type: "reasoning-delta", text: value });

/** Returns the three events of one call. `shown` is the argument text as it streams, by default the arguments as JSON. */
export function call(
  index: number,
  format: CallFormat,
  name: string,
  args: { [key: string]: JsonValue },
  more: { readonly repairs?: readonly Repair[]; readonly shown?: string; readonly id?: string } = {},
): DetectEvent[] {
  const { repairs = [], shown = JSON.stringify(args), id } = more;
  return [
    { type: "tool-call-start", index, name, format },
    { type: "tool-call-delta", index, argumentsText: shown },
    {
      type: "tool-call-end",
      index,
      ...(id === undefined ? {} : { id }),
      name,
      arguments: args,
      format,
      repairs,
    },
  ];
}

/** The tools on offer in all cases that do not bring their own. */
export const sampleTools: readonly ToolSchema[] = [
  {
    name: "read_file",
    description: "Reads a file.",
    parameters: {
      type: "object",
      properties: { path: { type: "string" }, offset: { type: "integer" }, limit: { type: "integer" } },
      required: ["path"],
    },
  },
  {
    name: "write_file",
    description: "Writes a file.",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string" },
        content: { type: "string" },
        tags: { type: "array", items: { type: "string" } },
        options: { type: "object", properties: { force: { type: "boolean" } } },
      },
      required: ["path", "content"],
    },
  },
  {
    name: "git_status",
    description: "Shows what has changed.",
    parameters: { type: "object", properties: {} },
  },
];
