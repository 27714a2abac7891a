/** Finds out whether the person has added folders to the workspace, or taken some away. */
import type { EventBody, View } from "@localharness/protocol";
import type { SessionOptions } from "./session-options.ts";

/** Returns the event that records the folders; undefined if the view has the same. */
export function folderChange(
  { added }: SessionOptions,
  { folders: known = [] }: View,
): EventBody | undefined {
  const folders = added?.() ?? [];
  const isSame = folders.length === known.length && folders.every((one) => known.includes(one));
  return isSame ? undefined : { type: "folders-changed", folders };
}
