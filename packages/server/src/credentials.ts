/**
 * Knows who may use the server: a program with the server's token, and a browser that was paired with a one-time
 * code. Each browser gets a separate key for one origin, derived from the token, so that the key survives a restart and ends
 * when the token is replaced. Clients send passes (`protocol/src/server-proof.ts`), which end with this server.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { passText, proofText } from "@localharness/protocol";

export interface Credentials {
  /**
   * Returns true if the text is the token, or a browser's key or a pass for this origin. Takes the same time for every wrong
   * text.
   */
  accepts(secret: string, origin: string): Promise<boolean>;
  /** Returns the proof that this server knows the key with this id. The proof is of no other use. */
  prove(asked: Challenge): Promise<ServerProof>;
  /** Returns a code that pairs one browser within `codeMinutes`. */
  offerCode(reach?: CodeReach): string;
  /** Returns a new key for a browser; undefined for a code that is wrong, used, too old or for another user. */
  redeem(code: string, client: PairingClient): Promise<string | undefined>;
}

/** Who may use a code: anybody who has it, or only programs of the user of this process. */
export type CodeReach = "anybody" | "own-user";

export interface PairingClient {
  /** The origin at which the client reaches the server. The new key is valid only for this origin. */
  readonly origin: string;
  /** Returns true if the client is a program of the user of this process. */
  isOwnUser(): Promise<boolean>;
}

export interface Challenge {
  /** The id of a browser's key; empty for the token. */
  readonly id: string;
  /** A text that the client has never used before. */
  readonly nonce: string;
  /** The origin under which the client reaches the server. */
  readonly origin: string;
}

export interface ServerProof {
  /** The id of this server process. */
  readonly server: string;
  readonly proof: string;
}

export const codeMinutes = 10;

/** `readToken` returns the token that is valid now; another process may replace it. */
export function createCredentials(
  readToken: () => Promise<string>,
  now: () => number = () => performance.now(),
): Credentials {
  const server = freshId();
  const codes = new Map<string, { readonly until: number; readonly reach: CodeReach }>();
  const forgetOld = () => {
    for (const [code, { until }] of codes) if (until < now()) codes.delete(code);
  };
  return {
    async accepts(given, origin) {
      const token = await readToken();
      return token !== "" && isSame(given, wantedFor(given, { token, origin, server }));
    },
    async prove({ id, nonce, origin }) {
      const secret = secretOf(await readToken(), id, origin);
      return { server, proof: macOf(secret, proofText(origin, server, nonce)) };
    },
    offerCode(reach = "anybody") {
      forgetOld();
      const code = freshId();
      codes.set(code, { until: now() + codeMinutes * 60_000, reach });
      return code;
    },
    async redeem(given, { origin, isOwnUser }) {
      forgetOld();
      const found = [...codes].find(([one]) => isSame(one, given));
      if (found === undefined) return undefined;
      const [code, { reach }] = found;
      // The code stays for the person's browser when somebody else has tried it.
      if (reach === "own-user" && !(await isOwnUser())) return undefined;
      // Another request may have used the code meanwhile.
      if (!codes.delete(code)) return undefined;
      const id = freshId();
      return `${id}.${secretOf(await readToken(), id, origin)}`;
    },
  };
}

interface Holding {
  readonly token: string;
  readonly origin: string;
  readonly server: string;
}

/** Returns the text that would be accepted in place of `given`: a pass `ID.SERVER.MAC`, a key `ID.SECRET`, or the token. */
function wantedFor(given: string, { token, origin, server }: Holding): string {
  const [id = "", second, mac] = given.split(".", 3);
  if (second === undefined || (id === "" && mac === undefined)) return token;
  const secret = secretOf(token, id, origin);
  return mac === undefined ? `${id}.${secret}` : `${id}.${server}.${macOf(secret, passText(origin, server))}`;
}

/** Returns the secret of a browser's key at an origin; the token for the empty id. */
function secretOf(token: string, id: string, origin: string): string {
  return id === "" ? token : macOf(token, `browser\n${id}\n${origin}`);
}

function macOf(secret: string, text: string): string {
  return createHmac("sha256", secret).update(text).digest("base64url");
}

function freshId(): string {
  return randomBytes(16).toString("base64url");
}

/** Compares two texts in constant time. */
function isSame(left: string, right: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
