/** Masks passwords and tokens in addresses (`https://me:PASSWORD@host`), in any text, in time that grows with its length only. */

const passwordLabel = "[password hidden]";
const tokenLabel = "[token hidden]";

/** A secret in a text: the characters from `start` to `end`, and the label that hides them. */
interface Found {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/**
 * Returns the text with a label in place of each password of an address, of each user name that is a token, of each token in a
 * query, and of each header for a server of git. Placeholders such as `${PASSWORD}` and `password` stay, and so does a secret of
 * which `shows` returns true.
 */
export function maskAddresses(text: string, shows: (secret: string) => boolean = () => false): string {
  let masked = "";
  let from = 0;
  for (const { start, end, label } of secretsOfAddresses(text)) {
    if (shows(text.slice(start, end))) continue;
    masked += text.slice(from, start) + label;
    from = end;
  }
  return from === 0 ? text : masked + text.slice(from);
}

/** Returns the text masked for a person who judges it: a secret with signs that a shell or a program may obey stays. */
export function maskJudgedAddresses(text: string): string {
  return maskAddresses(text, (secret) => !/^[\w.~%+=:@-]*$/.test(secret));
}

/** Returns the secrets of all addresses in the text. */
export function addressSecrets(text: string): readonly string[] {
  return secretsOfAddresses(text).map(({ start, end }) => text.slice(start, end));
}

function secretsOfAddresses(text: string): readonly Found[] {
  const found = text.includes("@") ? inAuthorities(text) : [];
  if (/[?&;]/.test(text)) found.push(...valuesOf(text, query, isRandom));
  if (/extraheader/i.test(text)) found.push(...valuesOf(text, header, (value) => !isPlaceholder(value)));
  return found
    .toSorted((one, other) => one.start - other.start)
    .filter(({ start }, index, all) => start >= (all[index - 1]?.end ?? 0));
}

/** Matches what is between the scheme of an address and its authority, also as JSON escapes it. */
const slashes = /[a-z\d]:\\?\/\\?\//gi;
/** Matches the authority of an address. It is longer than any real one, so that the search stays short. */
const authority = /[^\s/?#'"`<>\\^|]{1,2000}/y;

function inAuthorities(text: string): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(slashes)) {
    const start = match.index + match[0].length;
    authority.lastIndex = start;
    const part = authority.exec(text)?.[0] ?? "";
    const at = part.lastIndexOf("@");
    // `image:tag@sha256:...` names an image.
    if (at === -1 || /^@sha\d+:/.test(part.slice(at))) continue;
    const user = /^[^:]*/.exec(part.slice(0, at))?.[0] ?? "";
    const password = part.slice(user.length + 1, at);
    if (isToken(user)) found.push({ start, end: start + user.length, label: tokenLabel });
    if (user.length < at && isPassword(password)) {
      found.push({ start: start + user.length + 1, end: start + at, label: passwordLabel });
    }
  }
  return found;
}

/** Matches a parameter of a query that is a credential. */
const query =
  /(?<before>[?&;](?:access_?token|private_?token|auth_?token|id_?token|refresh_?token|token|api_?key|client_?secret|secret|password|passwd)=)(?<value>[^\s&#;'"`<>\\]+)/gi;
/** Matches the header that a setting of git sends to a server. */
const header = /(?<before>extraheader[=\s]+"?authorization:\s*\w+\s+)(?<value>[^\s"]+)/gi;

function valuesOf(text: string, pattern: RegExp, isSecret: (value: string) => boolean): readonly Found[] {
  return [...text.matchAll(pattern)].flatMap(({ index, groups }) => {
    const { before = "", value = "" } = groups ?? {};
    const start = index + before.length;
    return isSecret(value) ? [{ start, end: start + value.length, label: tokenLabel }] : [];
  });
}

const minPasswordChars = 5;

function isPassword(value: string): boolean {
  return value.length >= minPasswordChars && !isPlaceholder(value);
}

/** Matches words that documents and examples write in place of a password, numbers of ports, and versions. */
const exampleWord =
  /^(?:x+|\*+|\.+|(?:your|my|the|some)[-_]?\w*|(?:pass(?:word|wd|phrase)?|pwd|secret|token|user(?:name)?|admin|root|example|change-?me|test|guest|dummy|postgres|mysql|hidden|redacted|x-oauth-basic|api[-_]?key)\d{0,3}|v?\d+(?:\.\d+)+|\d{1,5})$/i;

/** Matches what a program replaces: `$NAME`, `${NAME}`, `<name>`, `{name}`, `{{name}}`, `%s`, `%(name)s`, `[name]`. */
const replaced = /^(?:\$\w+|<.*>|\{.*\}|\[.*\]?|%[sdv]|%\(.*)$|\$[{(]|^\$\{|\{\{/;

function isPlaceholder(value: string): boolean {
  return exampleWord.test(value) || replaced.test(value);
}

/** Returns true for a user name that is a token: a long run of letters and digits that are no words. */
function isToken(user: string): boolean {
  return isRandom(user) && /^[\w.~+=-]+$/.test(user);
}

const minTokenChars = 16;

function isRandom(value: string): boolean {
  return (
    value.length >= minTokenChars &&
    /\d/.test(value) &&
    /[a-z]/i.test(value) &&
    !isPlaceholder(value) &&
    !value.split(/[-_.%+]/).every((part) => /^(?:[a-z]*\d{0,4}|\d+)$/i.test(part))
  );
}
