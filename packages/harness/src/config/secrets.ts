/** Collects the secrets that the program knows, and masks them, and those of addresses, in texts. */
import { maskAddresses } from "@localharness/protocol";
import type { ProviderKeys } from "./keys.ts";

/** Matches the names of environment variables whose value is a secret. */
const secretVariable =
  /(?:^|_)(?:API_?KEY|ACCESS_KEY|SECRET_KEY|PRIVATE_KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE)$/i;
/** The minimum length of the value of a variable that `secretVariable` matches. Shorter values are often ordinary words. */
const minChars = 8;
/**
 * The minimum length of a part of a key that is masked. Shorter parts reveal little, and often occur in other text by
 * chance.
 */
const minPartChars = 12;

export interface KnownSecrets {
  /**
   * The values, longest first. If a short value were masked first, a longer value that contains it would no longer be
   * found.
   */
  readonly values: readonly string[];
  /**
   * The values with at least 16 characters and a digit. Such values do not occur inside other text, such as a path, by
   * chance.
   */
  readonly keys: readonly string[];
  /** The values in every form that `mask` recognizes. */
  readonly forms: readonly string[];
  /** Returns true if the text has one of the values. */
  holds(text: string): boolean;
  /** Masks the values, and passwords and tokens in any address. */
  mask(text: string): string;
}

export async function knownSecrets(
  environment: NodeJS.ProcessEnv,
  keys: ProviderKeys,
): Promise<KnownSecrets> {
  const { knownKeys, maskSecrets, secretForms } = await import("@localharness/models");
  const named = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && secretVariable.test(name) && value.trim().length >= minChars ? [value.trim()] : [],
  );
  const values = [...new Set([...knownKeys(environment, keys), ...named])].toSorted(
    (left, right) => right.length - left.length,
  );
  const odd = values.filter((value) => value.length >= 16 && isPart(value));
  const maskValues = (text: string) => maskParts(maskSecrets(text, values), values);
  return {
    values,
    keys: odd,
    forms: values.flatMap(secretForms),
    holds: (text) => maskValues(text) !== text,
    mask: (text) => maskAddresses(maskValues(text)),
  };
}

/** Removes each variable that is a secret or contains one of `keys`, because child processes inherit the environment. */
export function forgetSecrets(environment: NodeJS.ProcessEnv, { values, keys }: KnownSecrets): void {
  for (const [name, value = ""] of Object.entries(environment)) {
    if (values.includes(value.trim()) || keys.some((key) => value.includes(key))) delete environment[name];
  }
}

/**
 * Masks the beginning of a secret at a line's end, and the end of a secret at a line's beginning, as in cut output. Masks
 * only parts of at least 12 characters that have a digit.
 */
export function maskParts(text: string, values: readonly string[]): string {
  let masked = text;
  for (const value of values) {
    if (value.length <= minPartChars) continue;
    masked = maskBeginning(masked, value);
    masked = maskEnd(masked, value);
  }
  return masked;
}

const hidden = "[part of a key hidden]";

function maskBeginning(text: string, value: string): string {
  const least = value.slice(0, minPartChars);
  let masked = text;
  for (let at = masked.indexOf(least); at >= 0; at = masked.indexOf(least, at + 1)) {
    let end = at + minPartChars;
    while (end < masked.length && masked[end] === value[end - at]) end += 1;
    if (!isPart(masked.slice(at, end)) || !(end === masked.length || /[\r\n]/.test(masked[end] ?? ""))) {
      continue;
    }
    masked = masked.slice(0, at) + hidden + masked.slice(end);
  }
  return masked;
}

function maskEnd(text: string, value: string): string {
  const least = value.slice(-minPartChars);
  let masked = text;
  for (let at = masked.indexOf(least); at >= 0; at = masked.indexOf(least, at + 1)) {
    const end = at + minPartChars;
    let begin = at;
    while (begin > 0 && masked[begin - 1] === value[value.length - (end - begin) - 1]) begin -= 1;
    if (!isPart(masked.slice(begin, end)) || !(begin === 0 || /[\r\n]/.test(masked[begin - 1] ?? ""))) {
      continue;
    }
    masked = masked.slice(0, begin) + hidden + masked.slice(end);
    at = begin;
  }
  return masked;
}

/** Returns true if the text has a digit. Without a digit it may be an ordinary word. */
function isPart(text: string): boolean {
  return /\d/.test(text);
}
