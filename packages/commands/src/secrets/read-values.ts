/** Reads the values of a file of secrets: of settings by name, of JSON, of keys in PEM blocks, and single words. */
import { addressSecrets } from "@localharness/protocol";
import { credentialName, isSecretValue, minValueChars } from "./secret-value.ts";

export interface NamedValue {
  /** The name of the variable or setting; undefined for a word or a line without one. */
  readonly name: string | undefined;
  /** One line of text. */
  readonly value: string;
}

/** The maximum length of a value in characters. A longer line is taken in pieces. */
const maxValueChars = 1_000;

/** Returns the values that are hidden, each in every form in which programs usually print it. */
export function readValues(text: string): readonly NamedValue[] {
  const others = json(text) ?? text.replaceAll(block, "").split(/\r?\n/).flatMap(ofLine);
  const found = [...keyBlocks(text), ...others];
  return found.flatMap(({ name, value }) =>
    piecesOf(value)
      .filter((piece) => isSecretValue(name, piece))
      .flatMap((piece) => formsOf(piece).map((form) => ({ name, value: form }))),
  );
}

/** Returns the passwords and tokens in the addresses of a configuration of git, and those of its headers, as `readValues` does. */
export function readGitValues(text: string): readonly NamedValue[] {
  return addressSecrets(text).flatMap((secret) =>
    formsOf(secret).map((value) => ({ name: "a password", value })),
  );
}

/** Matches a PEM block. Certificates and public keys are not secrets. */
const block = /-----BEGIN (?<label>[^-\n]+)-----(?<body>[\s\S]*?)-----END [^-\n]+-----/g;

function keyBlocks(text: string): readonly NamedValue[] {
  return [...text.matchAll(block)]
    .filter(({ groups }) => !/CERTIFICATE|PUBLIC/.test(groups?.["label"] ?? ""))
    .flatMap(({ groups }) =>
      piecesOf(groups?.["body"] ?? "").map((value) => ({ name: "PRIVATE KEY", value })),
    );
}

/** Returns the texts in a JSON document with their names, and the passwords in their URLs; undefined for any other text. */
function json(text: string): readonly NamedValue[] | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const found: NamedValue[] = [];
  try {
    JSON.parse(text, function (this: unknown, name: string, value: unknown) {
      const own = Array.isArray(this) ? undefined : name;
      if (typeof value === "string") found.push({ name: own, value }, ...passwordsIn(value));
      return value;
    });
    return found;
  } catch {
    return undefined;
  }
}

/** The forms of a line with a name and a value, the first that matches counts. */
const lineForms: readonly RegExp[] = [
  // The password of a URL is found in any line, so a line that is a URL has no other value.
  /^\s*[a-z][a-z\d+.-]*:\/\/[^\s/@]*@\S*$/i,
  /^\s*<(?<name>[\w.-]+)>(?<value>[^<]+)<\//,
  /^\s*(?:-\s+)?["']?(?<name>[\w.-]+)["']?\s*:\s+(?<value>.*)$/,
  /^\s*(?:export\s+|set\s+)?(?<name>[^=\s]+)\s*=\s*(?<value>.*)$/i,
  /^(?<name>[^\s:]+):(?:\S*:)?(?<value>[^\s:]+)$/,
];

function ofLine(line: string): readonly NamedValue[] {
  if (/^\s*(?:[#;]|$)/.test(line)) return [];
  for (const form of lineForms) {
    const match = form.exec(line);
    if (match === null) continue;
    const { name, value } = match.groups ?? {};
    const own = value === undefined ? [] : [{ name: shortName(name ?? ""), value: unquoted(value) }];
    return [...own, ...passwordsIn(line)];
  }
  const all = line.trim().split(/\s+/);
  return all.map((value, index) => {
    const before = all[index - 1] ?? "";
    return { name: /^[a-z]+$/i.test(before) && credentialName.test(before) ? before : undefined, value };
  });
}

/** Returns the last part of a name: `_authToken` of `//host/:_authToken`. */
function shortName(name: string): string {
  return (/[\w.-]+$/.exec(name.replace(/["']$/, ""))?.[0] ?? name).slice(-60);
}

/** Returns the value without its quotes, or without the comment that follows it. */
function unquoted(value: string): string {
  const { text } =
    /^(?<quote>["'`])(?<text>.*)\k<quote>\s*[,;]?\s*(?:(?:#|\/\/).*)?$/.exec(value)?.groups ?? {};
  return (
    text ??
    value
      .replace(/^["'`]/, "")
      .replace(/\s+#.*$/, "")
      .trimEnd()
  );
}

function passwordsIn(text: string): readonly NamedValue[] {
  return [...text.matchAll(/\w:\/\/[^\s/@:]*:(?<password>[^\s/@]+)@/g)].map(({ groups }) => ({
    name: "password",
    value: groups?.["password"] ?? "",
  }));
}

/** Returns the lines of a value in pieces of at most 1,000 characters. A line end may also be written as `\n` or `\r`. */
function piecesOf(value: string): readonly string[] {
  return value
    .split(/\r?\n|\\r|\\n/)
    .flatMap((line) => line.trim().match(new RegExp(`.{1,${maxValueChars}}`, "gsu")) ?? []);
}

/** Returns the value as it is, without backslashes before quotes, decoded as in a URL, and as in JSON. */
function formsOf(value: string): readonly string[] {
  const plain = [value, value.replaceAll(/\\(["'\\$`])/g, "$1"), decoded(value)];
  const forms = [...plain, ...plain.map((form) => JSON.stringify(form).slice(1, -1))];
  return [...new Set(forms)].filter((form) => form.length >= minValueChars);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
