/** Declares what the program keeps of the person's sign-ins at servers. */
import type { JsonObject } from "@localharness/protocol";

/** The sign-in at one server. It holds for exactly this name and address, and is sent nowhere else. */
export interface SignIn {
  readonly server: string;
  readonly url: string;
  /** Absent before the first sign-in. */
  readonly grant?: Grant;
  /** What the server asked for when it last refused a request; the next sign-in asks for it. */
  readonly wanted?: SignInChallenge;
}

/** Tokens, with what is needed to renew them. */
export interface Grant {
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly scope?: string;
  /** Unix time in milliseconds; absent if the service does not say when the token ends. */
  readonly expiresAt?: number;
  /** The client as the service registered it: `client_id` and, for some services, `client_secret`. */
  readonly client: JsonObject;
  readonly serviceUrl: string;
  /** What the service says about itself (RFC 8414). */
  readonly service?: JsonObject;
  readonly resource?: string;
}

export interface SignInChallenge {
  readonly scope?: string;
  /** The address at which the server describes who gives out its tokens (RFC 9728). */
  readonly metadataUrl?: string;
}

/** Keeps sign-ins, in a file that only the person can read. */
export interface SignIns {
  /** Returns the sign-in; undefined without one. Never rejects. */
  find(server: string, url: string): Promise<SignIn | undefined>;
  /** Saves the sign-in in place of the one with its name and address. Rejects if it cannot be saved. */
  save(signIn: SignIn): Promise<void>;
  /** Removes the sign-ins of a server. Returns false if there was none. */
  remove(server: string): Promise<boolean>;
}
