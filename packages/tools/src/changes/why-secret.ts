/** Contents that are never copied, by undo or for it. */
import { secretName } from "../workspace/secret-name.ts";

/** In words; undefined for a file that may be copied. `secrets` are known keys. */
export function whySecret(path: string, bytes: Buffer, secrets: readonly string[]): string | undefined {
  if (secretName(path) !== undefined) {
    return "files of that name usually hold secrets";
  }
  return secrets.some((secret) => bytes.includes(secret)) ? "one of your keys is in it" : undefined;
}
