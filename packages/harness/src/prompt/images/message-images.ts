/** Reads the images that `--image` names. */
import { usageError } from "@localharness/engine";
import { type ImageContent, tooManyImages } from "@localharness/protocol";
import type { Composition } from "../../compose/compose.ts";
import { readImageFile } from "./persons-image.ts";
import { blindMessage, canSee } from "./seen-images.ts";

/**
 * Returns the images. Rejects with a `HarnessError` (`usage`) for a file that is missing or is not an image, for too many
 * images, and for a model that sees no images.
 */
export async function imagesForMessage(
  paths: readonly string[],
  composition: Pick<Composition, "selected" | "listModels">,
): Promise<readonly ImageContent[]> {
  const images: ImageContent[] = [];
  for (const path of paths) {
    const came = await readImageFile(path, process.cwd());
    if (came.kind === "absent") throw usageError(`--image: there is no file ${path}`);
    if (came.kind === "refused") throw usageError(`--image: ${came.message}`);
    images.push(came.image);
    // The limit is checked after each image, so that memory never holds more images than the limit.
    const tooMany = tooManyImages(images);
    if (tooMany !== undefined) throw usageError(`--image: ${tooMany}`);
  }
  if ((await canSee(composition)) === false) throw usageError(blindMessage(composition.selected.model.name));
  return images;
}
