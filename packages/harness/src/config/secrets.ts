/** The secrets that this program knows of, and how they are taken out of texts. */
import type { ProviderKeys } from "./keys.ts";

/** Variables of other programs whose value is a secret by their name. */
const secretVariable =
  /(?:^|_)(?:API_?KEY|ACCESS_KEY|SECRET_KEY|PRIVATE_KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE)$/i;
/** Shorter values are words of everyday texts. */
const shortest = 8;
/** A part of a key that is no longer says too little, and stands in too many texts by chance. */
const shortestPart = 12;

export interface Secrets {
  /** The values, longest first, so that none is cut by another. */
  readonly values: readonly string[];
  /** Those that are too long and odd to be a part of anything else, such as a path. */
  readonly keys: readonly string[];
  /** The values in every form in which `mask` finds them. */
  readonly forms: readonly string[];
  mask(text: string): string;
}

export async function knownSecrets(environment: NodeJS.ProcessEnv, keys: ProviderKeys): Promise<Secrets> {
  const { knownKeys, maskSecrets, secretForms } = await import("@localharness/models");
  const named = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && secretVariable.test(name) && value.trim().length >= shortest ? [value.trim()] : [],
  );
  const values = [...new Set([...knownKeys(environment, keys), ...named])].toSorted(
    (left, right) => right.length - left.length,
  );
  const odd = values.filter((value) => value.length >= 16 && isPart(value));
  return {
    values,
    keys: odd,
    forms: values.flatMap(secretForms),
    mask: (text) => maskParts(maskSecrets(text, values), values),
  };
}

/** Removes every variable that holds a secret: programs that are started without a list of their own inherit all. */
export function forgetSecrets(environment: NodeJS.ProcessEnv, { values, keys }: Secrets): void {
  for (const [name, value = ""] of Object.entries(environment)) {
    if (values.includes(value.trim()) || keys.some((key) => value.includes(key))) delete environment[name];
  }
}

/** Takes out what is left of a key where a line breaks off in it or begins in it, as in the line of a running program. */
export function maskParts(text: string, values: readonly string[]): string {
  let masked = text;
  for (const value of values) {
    if (value.length <= shortestPart) continue;
    masked = maskBeginning(masked, value);
    masked = maskEnd(masked, value);
  }
  return masked;
}

const hidden = "[part of a key hidden]";

function maskBeginning(text: string, value: string): string {
  const least = value.slice(0, shortestPart);
  let masked = text;
  for (let at = masked.indexOf(least); at >= 0; at = masked.indexOf(least, at + 1)) {
    let end = at + shortestPart;
    while (end < masked.length && masked[end] === value[end - at]) end += 1;
    if (!isPart(masked.slice(at, end)) || !(end === masked.length || /[\r\n]/.test(masked[end] ?? "")))
      continue;
    masked = masked.slice(0, at) + hidden + masked.slice(end);
  }
  return masked;
}

function maskEnd(text: string, value: string): string {
  const least = value.slice(-shortestPart);
  let masked = text;
  for (let at = masked.indexOf(least); at >= 0; at = masked.indexOf(least, at + 1)) {
    const end = at + shortestPart;
    let begin = at;
    while (begin > 0 && masked[begin - 1] === value[value.length - (end - begin) - 1]) begin -= 1;
    if (!isPart(masked.slice(begin, end)) || !(begin === 0 || /[\r\n]/.test(masked[begin - 1] ?? "")))
      continue;
    masked = masked.slice(0, begin) + hidden + masked.slice(end);
    at = begin;
  }
  return masked;
}

/** Words alone may be the beginning of a password and of much else. */
function isPart(text: string): boolean {
  return /\d/.test(text);
}
