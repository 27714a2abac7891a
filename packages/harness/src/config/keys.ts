/** Reads API keys from keys.json, which only its owner may read. Keys in the environment take precedence. */
import { open } from "node:fs/promises";
import { join } from "node:path";
import { configError } from "@localharness/engine";
import { isJsonObject, reasonOf } from "@localharness/protocol";
import { readJsonSource } from "@localharness/store/json-source";

export type ProviderKeys = Readonly<Record<string, string>>;

/**
 * Returns the keys by provider; `{}` if there is no folder or no file. Rejects with a `HarnessError` if other users may read
 * the file, or if it is invalid or cannot be read.
 */
export async function readKeys(folder: string | undefined): Promise<ProviderKeys> {
  if (folder === undefined) return {};
  const path = join(folder, "keys.json");
  const text = await readPrivate(path);
  if (text === undefined) return {};
  const source = readJsonSource(text);
  if (!source.ok) throw configError(`${path}:${source.line}:${source.column}: ${source.message}`);
  if (!isJsonObject(source.value)) throw configError(`${path}: expected an object of provider and key`);
  const keys: Record<string, string> = {};
  for (const [provider, key] of Object.entries(source.value)) {
    if (typeof key !== "string" || !/^[\x21-\x7e]+$/.test(key)) {
      throw configError(
        `${path}:${source.lineOf(provider)}: the key of "${provider}" must be text without blanks`,
      );
    }
    keys[provider] = key;
  }
  return keys;
}

/** Returns a key as it may be shown: `****` and at most its last four characters. */
export function maskKey(key: string): string {
  return key.length < 12 ? "****" : `****${key.slice(-4)}`;
}

async function readPrivate(path: string): Promise<string | undefined> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw configError(`${path} cannot be read: ${reasonOf(error)}`, error);
  }
  try {
    const { mode } = await file.stat();
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      throw configError(
        `${path} can be read by other users (mode ${(mode & 0o777).toString(8)}): run chmod 600 ${path}`,
      );
    }
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}
