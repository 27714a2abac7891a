/** Declares a message of the person that waits to be added to the transcript, and makes events of it. */
import type { AttachedFile, EventBody, ImageContent } from "@localharness/protocol";

/** A message of the person, with the images and files attached to it. */
export interface Said {
  readonly content: string;
  readonly images: readonly ImageContent[];
  readonly files: readonly AttachedFile[];
}

/** Returns the message with these parts. */
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

export function warning(code: string, message: string): EventBody {
  return { type: "notice", level: "warning", code, message };
}
