/** Computes SHA-256 hashes in hex, which tie a permission or a log entry to the exact arguments. */
import type { JsonObject } from "@localharness/protocol";
import { canonicalJson } from "../guards/duplicates.ts";

const encoder = new TextEncoder();

export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", encoder.encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Returns the SHA-256 of the arguments as canonical JSON: sorted keys, no spaces. */
export async function argumentsHash(
  args: JsonObject,
  hash: (text: string) => string | Promise<string> = sha256,
): Promise<string> {
  return await hash(canonicalJson(args));
}
