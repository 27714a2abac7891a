/** A message of the person, as a session keeps it until its turn, and as events. */
import type { AttachedFile, EventBody, ImageContent } from "@localharness/protocol";

/** A message of the person, with the images and files attached to it. */
export interface Said {
  readonly content: string;
  readonly images: readonly ImageContent[];
  readonly files: readonly AttachedFile[];
}

/** Returns the message. */
export function said(
  content: string,
  images: readonly ImageContent[] = [],
  files: readonly AttachedFile[] = [],
): Said {
  return { content, images, files };
}

/** Returns the events of the message and of its files. */
export function messageEvents({ content, images, files }: Said): readonly EventBody[] {
  const message: EventBody = { type: "user-message", content, from: "person" };
  return [
    images.length === 0 ? message : { ...message, images },
    ...files.map((file): EventBody => ({ type: "user-message", ...file, from: "file" })),
  ];
}

/** Returns a warning for the person. */
export function warning(code: string, message: string): EventBody {
  return { type: "notice", level: "warning", code, message };
}
