/** Decides which values in a file of secrets are hidden: those that are not ordinary words, names or addresses. */

/** Matches the name of a variable or of a setting that holds a secret. */
export const credentialName =
  /KEY|TOKEN|SECRET|PASS|PWD|CREDENTIAL|AUTH(?!OR)|COOKIE|PRIVATE|SESSION|SIGNATURE/i;

/** The minimum length of a hidden value. Shorter values occur in ordinary output too often. */
export const minValueChars = 8;

/** Matches one word in one case, such as `localhost` or `Development`. */
const word = /^(?:[a-z]{1,15}|[A-Z]{1,15}|[A-Z][a-z]{1,14})$/;
/** Matches a URL without a name of a user and without a query, and a path that is written as one. */
const address = /^(?:[a-z][a-z\d+.-]*:\/\/[^\s@?]*|(?:~|\.{1,2}|[A-Za-z]:)?[\\/]\S*)$/i;
/** Matches words, versions, dates, hosts and their lists: `eu-central-1`, `My Shop`, `db.example.com:5432`, `10mb`. */
const words =
  /^(?:[A-Za-z]{1,20}\d{0,4}|\d+[a-z]{0,2})?(?:[\s_.,:;/@|+*-](?:[A-Za-z]{1,20}\d{0,4}|\d+[a-z]{0,2})?)*$/;
/** Matches a long run of letters and digits, such as a token. */
const random = /(?=[\w+=-]*[A-Za-z])(?=[\w+=-]*\d)[\w+=-]{16,}/;

/**
 * Returns true if the value is hidden. A short value or a single word never is, an address only with a long run of letters
 * and digits. Any other value is hidden under the name of a credential. Under another name it is hidden unless it consists
 * of ordinary words and versions; without a name, it must also have a long run of letters and digits.
 */
export function isSecretValue(name: string | undefined, value: string): boolean {
  if (value.length < minValueChars || word.test(value)) return false;
  if (address.test(value)) return random.test(value);
  if (name !== undefined) return credentialName.test(name) || !words.test(value);
  return random.test(value) && !words.test(value);
}
