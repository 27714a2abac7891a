/** Reads an image that the person shows to the model: a file that the person named or dropped, or the clipboard. */
import { homedir } from "node:os";
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { ImageReading } from "@localharness/protocol";
import { type ImageContent, imageTypeOf } from "@localharness/protocol";
import type { Composition } from "../../compose/compose.ts";

export const maxImageBytes = 10 * 1024 * 1024;

/**
 * Reads an image file; returns `absent` if there is no such file, and `refused` if it is no image, is too large or cannot be
 * read. The path has one of the forms that terminals paste: quoted, with escaped blanks, a `file:` URL, or relative to the
 * folder `workspace` or the home folder (`~/`). If no file has the name, the only one whose name looks the same is read.
 */
export async function readImageFile(typed: string, workspace: string): Promise<ImageReading> {
  const { pathAlike } = await import("@localharness/workspace/files/path-alike");
  const { readPersonsFile } = await import("@localharness/workspace/files/persons-file");
  let refusal: ImageReading = { kind: "absent" };
  const meant = pathsMeant(typed.trim(), workspace);
  // Names of screenshots have blanks that people do not type, so names that look the same are tried last.
  const alike = meant.flatMap((path) => pathAlike(path) ?? []);
  for (const path of new Set([...meant, ...alike])) {
    const file = await readPersonsFile(path, maxImageBytes);
    if (file.kind === "refused") refusal = { kind: "refused", message: `${path}: ${file.message}` };
    if (file.kind !== "read") continue;
    const image = imageOf(file.bytes, basename(path));
    if (image !== undefined) return { kind: "image", image };
    const message = `${path} is not an image: its first bytes are not those of PNG, JPEG, GIF or WebP`;
    return { kind: "refused", message };
  }
  return refusal;
}

export async function readClipboardImage({
  readClipboard,
}: Pick<Composition, "readClipboard">): Promise<ImageReading> {
  const taken = await readClipboard(maxImageBytes);
  if (taken.kind === "none") return { kind: "refused", message: taken.message };
  const image = imageOf(taken.bytes, "clipboard.png");
  return image === undefined
    ? { kind: "refused", message: "the clipboard does not contain an image" }
    : { kind: "image", image };
}

/** Returns the bytes as an image; undefined if they are not an image. */
function imageOf(bytes: Buffer, name: string): ImageContent | undefined {
  const mediaType = imageTypeOf(bytes.subarray(0, 24).toString("base64"));
  if (mediaType === undefined) return undefined;
  return { mediaType, data: bytes.toString("base64"), name: name.slice(0, 100) };
}

/** Returns the paths that the typed text may mean: first as it was typed, then unescaped as a shell would do. */
function pathsMeant(typed: string, workspace: string): readonly string[] {
  if (typed === "" || typed.includes("\0")) return [];
  const quoted = /^(["'])(.*)\1$/.exec(typed)?.[2];
  const forms = quoted === undefined ? [typed, typed.replace(/\\(.)/g, "$1")] : [quoted];
  return [...new Set(forms.flatMap((form) => pathOf(form, workspace)))];
}

function pathOf(form: string, workspace: string): readonly string[] {
  if (form.startsWith("~/")) return [resolve(homedir(), form.slice(2))];
  if (!form.startsWith("file://")) return [resolve(workspace, form)];
  try {
    return [fileURLToPath(form)];
  } catch {
    return [];
  }
}
