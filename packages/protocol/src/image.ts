/** An image that goes along with a message of the person: checked by its first bytes, never by its name. */
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
  /** Base64, without line ends. */
  readonly data: string;
  /** Of its file, for people. */
  readonly name?: string;
}

export const imageLimits = { images: 10, bytes: 20 * 1024 * 1024 } as const;

const longestName = 200;

/** What the first bytes of base64 text say; undefined for what is no image of these types. */
export function imageTypeOf(data: string): ImageType | undefined {
  const head = data.slice(0, 24);
  const types = Object.keys(signatures) as ImageType[];
  return types.find((type) => signatures[type].test(head));
}

export function imageBytes({ data }: ImageContent): number {
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  return Math.max(0, (data.length / 4) * 3 - padding);
}

export type ReadImages =
  | { readonly ok: true; readonly images: readonly ImageContent[] }
  /** What was expected and what came. */
  | { readonly ok: false; readonly message: string };

/** Images as they came from outside. Keys that are not known are left out. Never throws. */
export function readImages(value: unknown): ReadImages {
  if (!Array.isArray(value)) return wrong('"images" is a list');
  const images: ImageContent[] = [];
  for (const [index, one] of value.slice(0, imageLimits.images + 1).entries()) {
    const read = readImage(one);
    if (typeof read === "string") return wrong(`image ${index + 1} of the message ${read}`);
    images.push(read);
  }
  const message = tooManyImages(images);
  return message === undefined ? { ok: true, images } : wrong(message);
}

/** Why so many or so large images cannot go with one message. */
export function tooManyImages(images: readonly ImageContent[]): string | undefined {
  if (images.length > imageLimits.images) return `a message takes ${imageLimits.images} images at most`;
  const bytes = images.reduce((sum, image) => sum + imageBytes(image), 0);
  return bytes <= imageLimits.bytes
    ? undefined
    : `the images of a message are ${imageLimits.bytes / 1024 / 1024} MB at most, these are ${(bytes / 1024 / 1024).toFixed(1)}`;
}

function readImage(value: unknown): ImageContent | string {
  if (!isJsonObject(value)) return 'is no object with "mediaType" and "data"';
  const { mediaType, data, name } = value;
  const types = Object.keys(signatures).join(", ");
  if (typeof data !== "string" || data.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(data))
    return 'needs "data", base64 without line ends';
  const type = imageTypeOf(data);
  if (type === undefined) return `is none by its first bytes: ${types} are known`;
  if (mediaType !== type) return `is ${type} by its first bytes, and "mediaType" says something else`;
  if (name === undefined) return { mediaType: type, data };
  if (typeof name !== "string" || name.length > longestName)
    return `has a "name" that is no text of ${longestName} characters at most`;
  return { mediaType: type, data, name };
}

/** What stands for an image wherever text is shown: `[Image pic.png, 120 KB]`, on one line. */
export function imageLine(image: ImageContent): string {
  const name = (image.name ?? "").replace(/[[\]\p{C}\p{Zl}\p{Zp}]/gu, "_").slice(0, 80) || "without name";
  return `[Image ${name}, ${sizeOf(imageBytes(image))}]`;
}

function sizeOf(bytes: number): string {
  return bytes < 1_000_000
    ? `${Math.max(1, Math.round(bytes / 1_000))} KB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The text of a message, with a line for each image that it does not name itself. */
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
