/** Tells from the end of an answer whether the answer may be incomplete. */
import type { ModelEvent } from "@localharness/protocol";
import { cutNotice, endNotice } from "./texts.ts";

type ModelEnd = Extract<ModelEvent, { type: "model-end" }>;

export interface CutShort {
  /** The code of the notice, and of the turn that ends with this answer. */
  readonly code: "cut-at-limit" | "cut-short";
  /** The notice for the person. */
  readonly message: string;
}

/** Returns what to tell about an answer that may be incomplete; undefined if it ended normally. */
export function cutShort(end: ModelEnd): CutShort | undefined {
  if (end.stopReason === "length") return { code: "cut-at-limit", message: cutNotice(end.cut) };
  if (end.reason === "" || (end.reason === undefined && end.stopReason !== "other")) return undefined;
  return { code: "cut-short", message: endNotice(end.reason) };
}
