/** Defines the items of the transcript. */
import type {
  ImageContent,
  JsonObject,
  PermissionAnswer,
  ToolResult,
  TurnEndReason,
} from "@localharness/protocol";

/** `key` stays the same while an item changes. */
export type Item = { readonly key: string } & (
  | {
      readonly kind: "user";
      readonly seq: number;
      readonly text: string;
      readonly from: "person" | "harness" | "file";
      readonly path?: string;
      readonly images?: readonly ImageContent[];
    }
  | {
      readonly kind: "answer";
      readonly text: string;
      readonly live: boolean;
      readonly partial?: "interrupted" | "error";
    }
  | { readonly kind: "thought"; readonly text: string; readonly live: boolean; readonly ms?: number }
  | CallFacts
  | {
      readonly kind: "notice";
      readonly level: "info" | "warning" | "error";
      readonly text: string;
      /** The text of a tool call that could not be read. */
      readonly raw?: string;
    }
  | {
      readonly kind: "end";
      readonly turnId: string;
      readonly reason: TurnEndReason;
      readonly message?: string;
      readonly denied: number;
      readonly plan?: string;
      /** The number of file changes that the turn's calls reported. */
      readonly changes: number;
      readonly calls: number;
      readonly ms?: number;
    }
  | {
      readonly kind: "command";
      readonly command: string;
      readonly output: string;
      readonly running: boolean;
      readonly exitCode?: number;
    }
);

export type CallState = "writing" | "waiting" | "asked" | "running" | "done";

interface CallFacts {
  readonly kind: "call";
  readonly callId: string;
  readonly toolName: string;
  readonly arguments: string | JsonObject;
  readonly state: CallState;
  readonly progress: string;
  readonly format?: string;
  /** The repairs that the harness made to the call. */
  readonly notes: readonly string[];
  readonly result?: ToolResult;
  readonly diff?: string;
  readonly answer?: PermissionAnswer;
  readonly answeredBy?: string;
  readonly note?: string;
}

export type ItemOf<Kind extends Item["kind"]> = Extract<Item, { readonly kind: Kind }>;
export type CallItem = ItemOf<"call">;

export const maxKeptChars: number = 400_000;

/** Returns the result with at most `maxKeptChars` of its data: the beginning and the end of longer data. */
export function keptResult(result: ToolResult): ToolResult {
  const { data } = result;
  if (data === null || data.length <= maxKeptChars) return result;
  const half = maxKeptChars / 2;
  const left = data.length - maxKeptChars;
  return { ...result, data: `${data.slice(0, half)}\n… ${left} more characters …\n${data.slice(-half)}` };
}
