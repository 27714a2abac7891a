/**
 * Knows who may use the server: a program with the server's token, and a browser that was paired with a one-time
 * code. Each browser gets a separate key, derived from the token, so that the key survives a restart and ends when
 * the token is replaced.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

export interface Credentials {
  /** Returns true if the text is the token or the key of a paired browser. Takes the same time for every wrong text. */
  accepts(secret: string): Promise<boolean>;
  /** Returns a code that pairs one browser within `codeMinutes`. */
  offerCode(): string;
  /** Returns a new key for a browser; undefined for a code that is wrong, used or too old. */
  redeem(code: string): Promise<string | undefined>;
}

export const codeMinutes = 10;

/** `readToken` returns the token that holds now; another process may replace it. */
export function createCredentials(
  readToken: () => Promise<string>,
  now: () => number = () => performance.now(),
): Credentials {
  const codes = new Map<string, number>();
  const forgetOld = () => {
    for (const [code, until] of codes) if (until < now()) codes.delete(code);
  };
  return {
    async accepts(secret) {
      const token = await readToken();
      const [nonce = "", proof] = secret.split(".", 2);
      const wanted = proof === undefined ? token : `${nonce}.${proofOf(token, nonce)}`;
      return isSame(secret, wanted) && secret !== "";
    },
    offerCode() {
      forgetOld();
      const code = randomBytes(16).toString("base64url");
      codes.set(code, now() + codeMinutes * 60_000);
      return code;
    },
    async redeem(code) {
      forgetOld();
      const found = [...codes.keys()].filter((one) => isSame(one, code));
      for (const one of found) codes.delete(one);
      if (found.length === 0) return undefined;
      const nonce = randomBytes(16).toString("base64url");
      return `${nonce}.${proofOf(await readToken(), nonce)}`;
    },
  };
}

function proofOf(token: string, nonce: string): string {
  return createHmac("sha256", token).update(`browser ${nonce}`).digest("base64url");
}

/** Compares two texts in constant time. */
function isSame(left: string, right: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
