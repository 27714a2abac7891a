/** The secrets that this program knows of, and how they are taken out of texts. */
import type { ProviderKeys } from "./keys.ts";

/** Variables of other programs whose value is a secret by their name. */
const secretVariable =
  /(?:^|_)(?:API_?KEY|ACCESS_KEY|SECRET_KEY|PRIVATE_KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE)$/i;
/** Shorter values are words of everyday texts. */
const shortest = 8;

export interface Secrets {
  /** The values, longest first, so that none is cut by another. */
  readonly values: readonly string[];
  mask(text: string): string;
}

export async function knownSecrets(environment: NodeJS.ProcessEnv, keys: ProviderKeys): Promise<Secrets> {
  const { knownKeys, maskSecrets } = await import("@localharness/models");
  const named = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && secretVariable.test(name) && value.trim().length >= shortest ? [value.trim()] : [],
  );
  const values = [...new Set([...knownKeys(environment, keys), ...named])].toSorted(
    (left, right) => right.length - left.length,
  );
  return { values, mask: (text) => maskSecrets(text, values) };
}
