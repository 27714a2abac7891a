/** Signs the person in at a server over OAuth: finds its service, sends the person there, and keeps the tokens. */
import { isLoopback } from "@localharness/protocol";
import {
  type AuthProvider,
  auth,
  computeScopeUnion,
  IssuerMismatchError,
} from "@modelcontextprotocol/client";
import type { AddressEntry } from "../config/entry.ts";
import { type Connection, type ConnectParts, openConnection } from "../connection/connection.ts";
import { challengeOf } from "./challenge.ts";
import { createFlow, type RedirectListener } from "./flow.ts";
import { addressProblem, signInFetch } from "./sign-in-fetch.ts";
import type { Grant, SignInChallenge, SignIns } from "./sign-ins.ts";

export interface SignInParts extends Pick<ConnectParts, "doors" | "version" | "workspace" | "signal"> {
  readonly signIns: SignIns;
  /** Listens for the answer of the browser, on a free port if `port` is 0. */
  listen(port: number): Promise<RedirectListener>;
  /** Tells the person the address to open. */
  show(address: URL): void;
}

export type SignInEnd =
  | { readonly kind: "signed-in"; readonly tools: number; readonly scope?: string }
  /** The server needs no sign-in. */
  | { readonly kind: "open" }
  | { readonly kind: "failed"; readonly reason: string };

/** The time that the person has, in milliseconds. */
const patienceMs = 15 * 60_000;
/** The maximum number of times that the person is sent to a service: the server may name another one the second time. */
const maxRounds = 2;
const refusedToken = "the server refuses the token that its service gave out";

/** Signs in at the server of an entry whose variables are replaced. Never rejects. */
export async function signIn(entry: AddressEntry, parts: SignInParts): Promise<SignInEnd> {
  const kept = await parts.signIns.find(entry.name, entry.url);
  let grant: Grant | undefined;
  let problem: string | undefined;
  let rounds = 0;
  const authorize = async (challenge: SignInChallenge) => {
    rounds += 1;
    const scope = computeScopeUnion(kept?.wanted?.scope, kept?.grant?.scope, challenge.scope);
    const metadataUrl = challenge.metadataUrl ?? kept?.wanted?.metadataUrl;
    const wanted = {
      ...(scope === undefined ? {} : { scope }),
      ...(metadataUrl === undefined ? {} : { metadataUrl }),
    };
    const given = await askForGrant(entry, wanted, parts);
    await parts.signIns.save({ server: entry.name, url: entry.url, grant: given });
    grant = given;
  };
  const provider: AuthProvider = {
    token: async () => grant?.accessToken,
    onUnauthorized: async ({ response }) => {
      grant = undefined;
      // A server that refuses each new token would send the person around in circles.
      if (rounds < maxRounds) await authorize(challengeOf(response)).catch(note);
      if (grant === undefined) throw new Error(problem ?? refusedToken);
    },
  };
  const note = (error: Error) => {
    problem = reasonFor(error);
  };
  let connection = await connect(entry, parts, provider);
  if (typeof connection !== "string" && grant === undefined && kept?.wanted !== undefined) {
    await connection.close();
    await authorize(kept.wanted).catch(note);
    connection = grant === undefined ? (problem ?? "") : await connect(entry, parts, provider);
  }
  if (typeof connection === "string") return { kind: "failed", reason: problem ?? connection };
  return endOf(connection, grant);
}

function connect(
  entry: AddressEntry,
  parts: SignInParts,
  provider: AuthProvider,
): Promise<Connection | string> {
  return openConnection(entry, {
    ...parts,
    auth: () => provider,
    startMs: patienceMs,
    onSampling: async () => ({ ok: false, code: -1, message: "no model answers here" }),
    onQuestion: async () => ({ action: "decline" }),
    onClosed: () => undefined,
    onListChanged: () => undefined,
    onLog: () => undefined,
  });
}

async function endOf(connection: Connection, grant: Grant | undefined): Promise<SignInEnd> {
  try {
    const tools = await connection.list("tools");
    if (grant === undefined) return { kind: "open" };
    const { scope } = grant;
    return { kind: "signed-in", tools: tools.length, ...(scope === undefined ? {} : { scope }) };
  } catch (error) {
    return { kind: "failed", reason: error instanceof Error ? error.message : String(error) };
  } finally {
    await connection.close();
  }
}

/** Sends the person to the service and resolves to what it grants. */
async function askForGrant(
  entry: AddressEntry,
  challenge: SignInChallenge,
  parts: SignInParts,
): Promise<Grant> {
  const listener = await parts.listen(entry.oauth?.callbackPort ?? 0);
  const flow = createFlow(entry, listener.url);
  const options = {
    serverUrl: entry.url,
    fetchFn: signInFetch(parts.doors, entry.url),
    ...(challenge.scope === undefined ? {} : { scope: challenge.scope }),
    ...(challenge.metadataUrl === undefined ? {} : { resourceMetadataUrl: new URL(challenge.metadataUrl) }),
  };
  try {
    await auth(flow.provider, options);
    const address = flow.address();
    const problem = addressProblem(address, isLoopback(new URL(entry.url).hostname));
    if (problem !== undefined) throw new Error(problem);
    parts.show(address);
    const answer = await listener.answer(
      flow.state,
      AbortSignal.any([parts.signal, AbortSignal.timeout(patienceMs)]),
    );
    const code = codeOf(answer);
    const iss = answer.get("iss");
    await auth(flow.provider, { ...options, authorizationCode: code, ...(iss === null ? {} : { iss }) });
    return flow.grant();
  } finally {
    listener.close();
  }
}

/** Returns the reason for the person, without texts from the answer of the browser, which an attacker may have written. */
function reasonFor(error: Error): string {
  return error instanceof IssuerMismatchError && error.kind === "authorization_response"
    ? "the answer came from another service than the one that you were sent to, so no token was asked for"
    : error.message;
}

function codeOf(answer: URLSearchParams): string {
  const code = answer.get("code");
  if (code !== null) return code;
  // The answer may come from somebody else than the service, so only its error code is told, which is a short word.
  const error = /^[a-z_]{1,40}$/.exec(answer.get("error") ?? "")?.[0] ?? "without a reason";
  throw new Error(`the service refused the sign-in (${error})`);
}
