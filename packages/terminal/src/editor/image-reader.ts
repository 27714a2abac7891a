/**
 * Reads an image for the editor, and delays the keys that are typed meanwhile, so that their text comes after the
 * image's placeholder.
 */
import type { ImageContent, ImageReading } from "@localharness/protocol";
import { reasonOf } from "@localharness/protocol";

export interface ImageReader {
  /** Attaches the image. Calls `otherwise` if there is no image or it was refused, and warns of a refusal. */
  read(reading: Promise<ImageReading>, otherwise: () => void): void;
  /**
   * Queues an input for the editor while an image is being read. Returns false, and queues nothing, if no image is being
   * read.
   */
  hold(put: () => void): boolean;
}

export interface ReaderParts {
  attach(image: ImageContent): void;
  warn(text: string): void;
  redraw(): void;
}

export function createImageReader({ attach, warn, redraw }: ReaderParts): ImageReader {
  let waiting: (() => void)[] | undefined;

  async function read(reading: Promise<ImageReading>, otherwise: () => void): Promise<void> {
    waiting = [];
    const came = await reading.catch(
      (error: unknown): ImageReading => ({
        kind: "refused",
        message: reasonOf(error),
      }),
    );
    const held = waiting;
    waiting = undefined;
    if (came.kind === "image") attach(came.image);
    else otherwise();
    if (came.kind === "refused") warn(came.message);
    for (const put of held) put();
    redraw();
  }

  return {
    read: (reading, otherwise) => void read(reading, otherwise),
    hold(put) {
      waiting?.push(put);
      return waiting !== undefined;
    },
  };
}
