/**
 * Keeps the images attached in the editor. Each image has a text placeholder. A message is sent with the images whose
 * placeholders it still contains.
 */
import { type ImageContent, imageLine, isImageMention, mentionsIn } from "@localharness/protocol";

export interface HeldImages {
  /** Keeps an image and returns its placeholder. */
  hold(image: ImageContent): string;
  /** Returns the images whose placeholders are in a text, in the order of the text. */
  in(text: string): readonly ImageContent[];
  /** Returns the placeholders for which no image is kept, such as placeholders in a message from an earlier session. */
  unknownIn(text: string): readonly string[];
  /** Returns the placeholder that ends right before a column of a line; undefined if no placeholder does. */
  markBefore(line: string, column: number): string | undefined;
}

const mark = /\[Image [^[\]\n]+, [\d.]+ [KM]B\]/g;

/** Creates the store of images. It drops no image, so that a message recalled from the history has its images again. */
export function createHeldImages(): HeldImages {
  const held = new Map<string, ImageContent>();
  const marksIn = (text: string) => [...new Set(Array.from(text.matchAll(mark), ([found]) => found))];
  return {
    hold(image) {
      for (let count = 1; ; count += 1) {
        const named = count === 1 ? image : { ...image, name: `${image.name ?? "image"} ${count}` };
        const line = imageLine(named);
        const there = held.get(line);
        if (there !== undefined && there.data !== image.data) continue;
        held.set(line, named);
        return line;
      }
    },
    in: (text) => marksIn(text).flatMap((found) => held.get(found) ?? []),
    unknownIn: (text) => marksIn(text).filter((found) => !held.has(found)),
    markBefore(line, column) {
      const before = line.slice(0, column);
      return marksIn(before).find((found) => before.endsWith(found) && held.has(found));
    },
  };
}

const imagePath = /^[^\n]{1,4096}\.(?:png|jpe?g|gif|webp)["']?$/i;

/** Returns true if a paste looks like the path of one image and contains nothing else. */
export function looksLikeImagePath(pasted: string): boolean {
  return imagePath.test(pasted.trim());
}

/** Returns the image paths that a message mentions with `@`: without duplicates, at most 20. */
export function mentionedImages(message: string): readonly string[] {
  return mentionsIn(message)
    .filter(isImageMention)
    .map(({ path }) => path);
}
