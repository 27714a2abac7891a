/** Images that the person shows to the model: a file they have named or dropped, or what is in their clipboard. */
import { homedir } from "node:os";
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { ImageReading } from "@localharness/protocol";
import { type ImageContent, imageTypeOf } from "@localharness/protocol";
import type { Composition } from "../compose.ts";

export const mostImageBytes = 10 * 1024 * 1024;

/** A path as terminals paste it: quoted, with escaped blanks, as a URL, from the home folder or the workspace. */
export async function readImageFile(typed: string, workspace: string): Promise<ImageReading> {
  const { readPersonsFile } = await import("@localharness/tools");
  let refusal: ImageReading = { kind: "absent" };
  for (const path of pathsMeant(typed.trim(), workspace)) {
    const file = await readPersonsFile(path, mostImageBytes);
    if (file.kind === "refused") refusal = { kind: "refused", message: `${path}: ${file.message}` };
    if (file.kind !== "read") continue;
    const image = imageOf(file.bytes, basename(path));
    if (image !== undefined) return { kind: "image", image };
    const message = `${path} is no image: PNG, JPEG, GIF and WebP are known by their first bytes`;
    return { kind: "refused", message };
  }
  return refusal;
}

export async function readClipboardImage({
  readClipboard,
}: Pick<Composition, "readClipboard">): Promise<ImageReading> {
  const taken = await readClipboard(mostImageBytes);
  if (taken.kind === "none") return { kind: "refused", message: taken.message };
  const image = imageOf(taken.bytes, "clipboard.png");
  return image === undefined
    ? { kind: "refused", message: "what the clipboard gave is no image" }
    : { kind: "image", image };
}

/** The image that the bytes are; undefined when they are none. */
function imageOf(bytes: Buffer, name: string): ImageContent | undefined {
  const mediaType = imageTypeOf(bytes.subarray(0, 24).toString("base64"));
  if (mediaType === undefined) return undefined;
  return { mediaType, data: bytes.toString("base64"), name: name.slice(0, 100) };
}

/** As it stands first; then as a shell would read it. */
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
