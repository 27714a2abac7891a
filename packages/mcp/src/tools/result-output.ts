/** Converts the result of a server's tool to the output of a tool of the harness. */
import type { ToolOutput } from "@localharness/engine";
import {
  countText,
  defined,
  type ImageContent,
  imageTypeOf,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  readImages,
  tooManyImages,
} from "@localharness/protocol";

/**
 * Returns the output. The model reads the texts, and also the structured content unless a text has the same content.
 * For images, sounds and other binary parts, the text gives their type and size; `images` has the images that can be shown.
 * `cut` shortens a text that is too long for a result. A result with `isError` gives a failed output, without images.
 */
export function resultOutput(result: JsonObject, server: string, cut: (text: string) => string): ToolOutput {
  const content = Array.isArray(result["content"]) ? result["content"] : [];
  const structured = result["structuredContent"];
  const images: ImageContent[] = [];
  const parts = content.map((part) => partText(part, images, server));
  if (structured !== undefined && !content.some((part) => saysSame(part, structured))) {
    parts.push(JSON.stringify(structured));
  }
  const text = cut(parts.join("\n"));
  if (result["isError"] !== true) {
    const data = text === "" ? "(The tool returned nothing.)" : text;
    const shown = images.length === 0 ? undefined : images;
    return { ok: true, data, ...defined({ details: structured, images: shown }) };
  }
  const message = text === "" ? `the tool of the MCP server ${server} failed without saying why` : text;
  return { ok: false, errorType: "internal_error", message };
}

/** Returns the text of a part. Adds a part that is an image to `images` if they have room for it. */
function partText(part: JsonValue, images: ImageContent[], server: string): string {
  if (!isJsonObject(part)) return "";
  switch (part["type"]) {
    case "text":
      return textOf(part["text"]);
    case "image":
      return imageText(part, images, server);
    case "audio":
      return `[audio ${textOf(part["mimeType"])}, ${countText(bytesOf(part["data"]), "byte")}: it cannot be shown to the model]`;
    case "resource_link":
      return `[resource ${textOf(part["uri"])}${named(part["title"] ?? part["name"])}${named(part["description"])}]`;
    case "resource":
      return resourceText(part["resource"]);
    default:
      return `[a part of the unknown type ${JSON.stringify(part["type"] ?? null)}]`;
  }
}

/** Returns a line about an image. Adds the image to `images` if its first bytes are of a known type and there is room. */
function imageText({ data, mimeType }: JsonObject, images: ImageContent[], server: string): string {
  const said = `image ${textOf(mimeType)}, ${countText(bytesOf(data), "byte")}`;
  const one = { mediaType: imageTypeOf(textOf(data)), data, name: `${server} ${images.length + 1}` };
  const read = readImages([one]);
  if (!read.ok) return `[${said}: it cannot be shown to the model]`;
  if (tooManyImages([...images, ...read.images]) !== undefined) return `[${said}: it does not fit]`;
  images.push(...read.images);
  return `[${said}]`;
}

/** Returns the text of a resource below its address. For a binary resource, returns its type and size. */
export function resourceText(resource: JsonValue | undefined): string {
  if (!isJsonObject(resource)) return "";
  const uri = textOf(resource["uri"]);
  const { text, blob, mimeType } = resource;
  if (typeof text === "string") return uri === "" ? text : `${uri}:\n${text}`;
  return `[${uri} ${textOf(mimeType)}, ${countText(bytesOf(blob), "byte")}: it is not text]`;
}

function named(value: JsonValue | undefined): string {
  return typeof value === "string" && value !== "" ? `: ${value}` : "";
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** Returns the number of bytes of a base64 text. */
function bytesOf(value: JsonValue | undefined): number {
  const text = textOf(value).replace(/=+$/, "");
  return Math.floor((text.length * 3) / 4);
}

/** Returns true if the part is a text with the structured content as JSON, or with its only value. */
function saysSame(part: JsonValue, structured: JsonValue): boolean {
  if (!isJsonObject(part) || part["type"] !== "text" || typeof part["text"] !== "string") return false;
  const values = isJsonObject(structured) ? Object.values(structured) : [];
  if (values.length === 1 && values[0] === part["text"]) return true;
  try {
    return JSON.stringify(JSON.parse(part["text"])) === JSON.stringify(structured);
  } catch {
    return false;
  }
}
