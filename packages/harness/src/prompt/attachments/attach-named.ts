/** Reads everything that a message names with `@`, for the modes without a screen. */
import {
  type AttachedFile,
  type Host,
  type ImageContent,
  isImageMention,
  mentionsIn,
  tooManyImages,
} from "@localharness/protocol";
import type { Composition } from "../../compose/compose.ts";
import { readImageFile } from "../images/persons-image.ts";
import { canSee } from "../images/seen-images.ts";
import { type AttachingParts, attachFiles } from "./attach-files.ts";

export type AttachingMethods = Pick<Host, "attachFiles" | "readImage" | "canSee">;

/** Returns the host methods that read what a message names. */
export function attachingMethods(
  composition: Composition,
  session: () => AttachingParts["session"],
  trust: () => AttachingParts["trust"],
): AttachingMethods {
  return {
    attachFiles: (mentions) => attachFiles(mentions, { composition, session: session(), trust: trust() }),
    readImage: (path) => readImageFile(path, composition.workspace),
    canSee: () => canSee(composition),
  };
}

export interface Named {
  readonly images: readonly ImageContent[];
  readonly files: readonly AttachedFile[];
}

/**
 * Returns the files and images that a message names. `tell` gets a remark for each file and image of which the model
 * gets only the name. `typed` is the text that the person typed. A text of several lines is a paste or comes from a
 * script, so it names no files.
 */
export async function attachNamed(
  typed: string,
  methods: () => Promise<AttachingMethods>,
  tell: (text: string) => void,
): Promise<Named> {
  const mentions = typed.includes("\n") ? [] : mentionsIn(typed);
  if (mentions.length === 0) return { images: [], files: [] };
  const host = await methods();
  const { files, remarks } = await host.attachFiles(mentions);
  for (const remark of remarks) tell(remark);
  const images: ImageContent[] = [];
  for (const { path } of mentions.filter(isImageMention)) {
    const why = await takeImage(path, host, images);
    if (why !== undefined) tell(`@${path} goes to the model as a name only: ${why}`);
  }
  return { images, files };
}

/** Adds an image to `images`. Returns the reason if the image cannot be added. */
async function takeImage(
  path: string,
  host: AttachingMethods,
  images: ImageContent[],
): Promise<string | undefined> {
  if ((await host.canSee()) === false) return "the model sees no images";
  const came = await host.readImage(path);
  if (came.kind === "absent") return "there is no such file";
  if (came.kind === "refused") return came.message;
  const tooMany = tooManyImages([...images, came.image]);
  if (tooMany === undefined) images.push(came.image);
  return tooMany;
}
