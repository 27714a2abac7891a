/** What the transcript is made of, as the person sees it. */
import type { ImageContent, JsonObject, ToolResult } from "@localharness/protocol";

export type Item =
  | {
      readonly kind: "user";
      readonly text: string;
      readonly seq: number;
      readonly from: "person" | "harness";
      /** Absent when there are none; `text` names them. */
      readonly images?: readonly ImageContent[];
    }
  | { readonly kind: "answer"; readonly text: string; readonly cut?: "interrupted" | "error" }
  | { readonly kind: "thought"; readonly text: string; readonly ms: number | undefined }
  | CallItem
  /** `text` is ours or made harmless where it is drawn. */
  | { readonly kind: "notice"; readonly level: "info" | "warning" | "error"; readonly text: string }
  /** A command of the person's own. */
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
  /** The newest line of a call that runs. */
  readonly progress: string;
  readonly result?: ToolResult;
  /** What the call changed, as it was shown before it ran. */
  readonly diff?: string;
}

const keptChars = 512 * 1024;

/** A result of any size, with so much of its data as anybody would look at. */
export function keptResult(result: ToolResult): ToolResult {
  const { data } = result;
  if (data === null || data.length <= keptChars) return result;
  const leftOut = data.length - keptChars;
  const kept = `${data.slice(0, keptChars / 2)}\n… ${leftOut} more characters …\n${data.slice(-keptChars / 2)}`;
  // A copy: a slice would hold on to all of the text.
  return { ...result, data: Buffer.from(kept).toString("utf8") };
}
