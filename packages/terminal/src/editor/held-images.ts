/** Images that stand in the editor: a mark for each, and the image goes with the message that still has its mark. */
import { type ImageContent, imageLine } from "@localharness/protocol";

export interface HeldImages {
  /** The mark that stands for the image from now on. */
  hold(image: ImageContent): string;
  /** The images whose marks a text has, in its order. */
  in(text: string): readonly ImageContent[];
  /** Marks that stand for no image here, such as those of a message of an earlier day. */
  unknownIn(text: string): readonly string[];
  /** The mark right before a column of a line. */
  markBefore(line: string, column: number): string | undefined;
}

const mark = /\[Image [^[\]\n]+, [\d.]+ [KM]B\]/g;

/** What was held is kept: a message that is called back from the history has its images again. */
export function createHeldImages(): HeldImages {
  const held = new Map<string, ImageContent>();
  const marksIn = (text: string) => [...new Set(Array.from(text.matchAll(mark), ([found]) => found))];
  return {
    hold(image) {
      for (let count = 1; ; count++) {
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
const mention = /(?:^|\s)@(?:"([^"\n]+)"|([^\s"]+))/g;

/** Whether a paste may be the path of an image and nothing else. */
export function looksLikeImagePath(pasted: string): boolean {
  return imagePath.test(pasted.trim());
}

/** The paths of images that a message names behind `@`. */
export function mentionedImages(message: string): readonly string[] {
  const paths = Array.from(message.matchAll(mention), ([, quoted, bare]) => quoted ?? bare ?? "");
  return [...new Set(paths.filter(looksLikeImagePath))].slice(0, 20);
}
