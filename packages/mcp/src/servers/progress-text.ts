/** Describes the progress that a call reports. */
import type { Progress } from "@modelcontextprotocol/client";
import { shortText } from "../connection/short-text.ts";

/** Returns the progress in words, such as `2 of 4: copying`. */
export function progressText({ progress, total, message }: Progress): string {
  const done = total === undefined ? `${progress}` : `${progress} of ${total}`;
  return message === undefined || message === "" ? done : `${done}: ${shortText(message)}`;
}
