/** Defines the items of the transcript that the person sees. */
import type { ImageContent, JsonObject, ToolResult } from "@localharness/protocol";

export type Item =
  | {
      readonly kind: "user";
      readonly text: string;
      /** The part of `text` that is drawn until the item is opened; absent if all of `text` is drawn. */
      readonly shown?: string;
      readonly seq: number;
      readonly from: "person" | "harness" | "file";
      /** The path of an attached file; only with `from: "file"`. */
      readonly path?: string;
      /** The images of the message, which `text` names; absent if there are none. */
      readonly images?: readonly ImageContent[];
    }
  | { readonly kind: "answer"; readonly text: string; readonly cut?: "interrupted" | "error" }
  | { readonly kind: "thought"; readonly text: string; readonly ms: number | undefined }
  | CallItem
  /** `text` may be untrusted: control characters are removed when it is drawn. */
  | { readonly kind: "notice"; readonly level: "info" | "warning" | "error"; readonly text: string }
  /** A `!command` that the person ran. */
  | {
      readonly kind: "command";
      readonly command: string;
      readonly output: string;
      readonly exitCode: number | undefined;
    };

export interface CallItem {
  readonly kind: "call";
  readonly callId: string;
  readonly toolName: string;
  readonly arguments: string | JsonObject;
  readonly state: "waiting" | "running" | "done";
  /** The newest progress text of a running call. */
  readonly progress: string;
  readonly result?: ToolResult;
  /** The change that the call made: from the result, or, if the result has none, from the permission question. */
  readonly diff?: string;
  /** The plan that the call presents, with the person's changes if there are any. */
  readonly plan?: string;
  /** The note of the person who denied the call, which may be empty; absent if the person did not deny it. */
  readonly denied?: string;
}

const maxKeptChars = 512 * 1024;

/** Returns the result with at most `maxKeptChars` of its data: the beginning and the end of longer data. */
export function keptResult(result: ToolResult): ToolResult {
  const { data } = result;
  if (data === null || data.length <= maxKeptChars) return result;
  const leftOut = data.length - maxKeptChars;
  const kept = `${data.slice(0, maxKeptChars / 2)}\n… ${leftOut} more characters …\n${data.slice(-maxKeptChars / 2)}`;
  // The text is copied through a buffer, because a slice would keep the whole text in memory.
  return { ...result, data: Buffer.from(kept).toString("utf8") };
}
