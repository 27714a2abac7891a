/** Reads, checks and describes images of messages. The first bytes decide the type, never the file name. */
import { isJsonObject } from "./json.ts";

const signatures = {
  "image/png": /^iVBORw0KGgo/,
  "image/jpeg": /^\/9j\//,
  "image/gif": /^R0lGOD[dl]h/,
  "image/webp": /^UklGR.{6}XRUJQ/,
} as const;

export type ImageType = keyof typeof signatures;

export interface ImageContent {
  readonly mediaType: ImageType;
  /** The image as base64, without line breaks. */
  readonly data: string;
  /** The file's name, for people. */
  readonly name?: string;
}

/** The limits of one message: number of images, and their total size in bytes. */
export const imageLimits = { images: 10, bytes: 20 * 1024 * 1024 } as const;

const maxNameChars = 200;

/** Returns the image type of base64 data by its first bytes; undefined for any other data. */
export function imageTypeOf(data: string): ImageType | undefined {
  const head = data.slice(0, 24);
  const types = Object.keys(signatures) as ImageType[];
  return types.find((type) => signatures[type].test(head));
}

/** Returns the size of the decoded image in bytes. */
export function imageBytes({ data }: ImageContent): number {
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  return Math.max(0, (data.length / 4) * 3 - padding);
}

export type ReadImages =
  | { readonly ok: true; readonly images: readonly ImageContent[] }
  /** `message` says what is wrong. */
  | { readonly ok: false; readonly message: string };

/** Checks images from an untrusted source and returns them without unknown keys. Never throws. */
export function readImages(value: unknown): ReadImages {
  if (!Array.isArray(value)) return wrong('"images" must be a list');
  const images: ImageContent[] = [];
  for (const [index, one] of value.slice(0, imageLimits.images + 1).entries()) {
    const read = readImage(one);
    if (typeof read === "string") return wrong(`image ${index + 1} of the message ${read}`);
    images.push(read);
  }
  const message = tooManyImages(images);
  return message === undefined ? { ok: true, images } : wrong(message);
}

/** Returns the reason why a message cannot carry these images (too many or too large); undefined if it can. */
export function tooManyImages(images: readonly ImageContent[]): string | undefined {
  if (images.length > imageLimits.images) return `a message takes at most ${imageLimits.images} images`;
  const bytes = images.reduce((sum, image) => sum + imageBytes(image), 0);
  return bytes <= imageLimits.bytes
    ? undefined
    : `the images of a message take at most ${imageLimits.bytes / 1024 / 1024} MB, these take ${(bytes / 1024 / 1024).toFixed(1)}`;
}

/**
 * Returns true if the data is base64. It looks for a wrong character, because a pattern for a whole large text can run out
 * of stack.
 */
function isBase64(data: string): boolean {
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  const body = data.slice(0, data.length - padding);
  return data.length % 4 === 0 && body !== "" && !/[^A-Za-z0-9+/]/.test(body);
}

function readImage(value: unknown): ImageContent | string {
  if (!isJsonObject(value)) return 'must be an object with "mediaType" and "data"';
  const { mediaType, data, name } = value;
  const types = Object.keys(signatures).join(", ");
  if (typeof data !== "string" || !isBase64(data)) {
    return 'needs "data", base64 without line breaks';
  }
  const type = imageTypeOf(data);
  if (type === undefined) return `does not begin like an image of a known type: ${types}`;
  if (mediaType !== type) return `is ${type} by its first bytes, but "mediaType" says something else`;
  if (name === undefined) return { mediaType: type, data };
  if (typeof name !== "string" || name.length > maxNameChars) {
    return `needs a "name" that is text of at most ${maxNameChars} characters`;
  }
  return { mediaType: type, data, name };
}

/** Returns the one-line placeholder of an image in text: `[Image pic.png, 120 KB]`. */
export function imageLine(image: ImageContent): string {
  const name = (image.name ?? "").replace(/[[\]\p{C}\p{Zl}\p{Zp}]/gu, "_").slice(0, 80) || "without name";
  return `[Image ${name}, ${sizeOf(imageBytes(image))}]`;
}

function sizeOf(bytes: number): string {
  return bytes < 1_000_000
    ? `${Math.max(1, Math.round(bytes / 1_000))} KB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Returns the text of a message, with a placeholder line added for each image that has none in the text. */
export function textWithImages({
  content,
  images = [],
}: {
  readonly content: string;
  readonly images?: readonly ImageContent[];
}): string {
  const unnamed = images.map(imageLine).filter((line) => !content.includes(line));
  return [content, ...unnamed].join("\n");
}

function wrong(message: string): ReadImages {
  return { ok: false, message };
}
