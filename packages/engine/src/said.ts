/** What the person said, as it stands in its event. */
import type { ImageContent } from "@localharness/protocol";

export interface Said {
  readonly content: string;
  readonly images?: readonly ImageContent[];
}

export function said(content: string, images: readonly ImageContent[] = []): Said {
  return images.length === 0 ? { content } : { content, images };
}
