/** Pairs machines: a one-time code, which the owner of the folder passes on, becomes a token. */
import { randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { usageError } from "@localharness/engine";
import { isJsonObject, type JsonObject, type JsonValue, reasonOf } from "@localharness/protocol";
import { type Borrower, hashToken } from "@localharness/store/lent/machines";
import type { RecordFile } from "@localharness/store/lent/record-file";
import { createWrongCodes } from "./wrong-codes.ts";

const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const codeLetters = 10;
const codeMs = 10 * 60_000;
const maxBodyBytes = 4 * 1024;
export const pairPath = "/pair";

export interface LendPairing {
  readonly code: string;
  /**
   * Answers a request that does not open a WebSocket. Answers a request to pair with the token if its code is right, with
   * status 403 if it is wrong, and with status 429 while its machine has to wait. Answers any other request with status 404.
   */
  answer(request: IncomingMessage, response: ServerResponse): void;
}

export interface PairingParts {
  readonly borrowers: RecordFile<Borrower>;
  /** The real path of the folder. */
  readonly folder: string;
  /** Called when a machine was paired, and when a wrong code came. */
  tell(text: string): void;
  /** Returns the time in milliseconds. */
  now?(): number;
}

/**
 * Makes a code that holds for ten minutes and for one machine. After a wrong code its sender has to wait, each time longer. The
 * pairing stays open, so that nobody can keep the person from pairing.
 */
export function openPairing({ borrowers, folder, tell, now = Date.now }: PairingParts): LendPairing {
  const code = newCode();
  const until = now() + codeMs;
  const wrongCodes = createWrongCodes(now);
  let open = true;

  async function pair(given: JsonObject, machine: string): Promise<PairingReply> {
    if (!open || now() > until) {
      return [403, { error: "no pairing is open: start localharness lend again" }];
    }
    const waitMs = wrongCodes.waitOf(machine);
    if (waitMs > 0) {
      return [
        429,
        { error: `wait ${inSeconds(waitMs)} before the next try, because the code before was wrong` },
      ];
    }
    if (!sameText(plainCode(String(given["code"])), plainCode(code))) {
      const wrong = wrongCodes.note(machine);
      const wait = `wait ${inSeconds(wrong.waitMs)} before the next try`;
      tell(`${machine} has sent a wrong code (${wrong.count} so far) and has to ${wait}`);
      return [403, { error: `the code is wrong: ${wait}` }];
    }
    open = false;
    const token = randomBytes(32).toString("base64url");
    const name = await saveBorrower(
      borrowers,
      { folder, tokenHash: hashToken(token) },
      String(given["name"]),
    );
    tell(`paired with ${name}`);
    return [200, { token, folder, name }];
  }

  return {
    code,
    answer(request, response) {
      void readBody(request)
        .then((body) => (body === undefined ? ([404, {}] as const) : pair(body, machineOf(request))))
        .catch((error: unknown) => [500, { error: reasonOf(error) }] as const)
        .then(([status, answer]) => {
          const text = JSON.stringify(answer);
          const headers = { "content-type": "application/json", connection: "close" };
          response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(text) }).end(text);
        });
    },
  };
}

type PairingReply = readonly [status: number, answer: JsonObject];

function machineOf({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? "a machine that has gone";
}

/** Returns the time in seconds, rounded up: `1 s`. */
function inSeconds(ms: number): string {
  return `${Math.ceil(ms / 1_000)} s`;
}

/**
 * Sends a code to the machine that shows it. Resolves to the token. Rejects with a `HarnessError` if the machine is not
 * reached or refuses the code.
 */
export async function sendCode(
  fetch: (url: string, init: RequestInit) => Promise<Response>,
  url: string,
  code: string,
  name: string,
): Promise<string> {
  const address = `${url.replace(/^ws/, "http")}${pairPath}`;
  const body = JSON.stringify({ code, name });
  const answer = await fetch(address, {
    method: "POST",
    body,
    headers: { "content-type": "application/json" },
  }).catch((error: unknown) => {
    throw usageError(`${url} is not reached: ${reasonOf(error)}`, error);
  });
  const value = (await answer.json().catch(() => null)) as JsonValue;
  const token = isJsonObject(value) ? value["token"] : undefined;
  if (typeof token === "string" && /^[\w-]{20,100}$/.test(token)) return token;
  const said =
    isJsonObject(value) && typeof value["error"] === "string" ? value["error"] : `status ${answer.status}`;
  throw usageError(`${url} did not pair: ${said}`);
}

/** Returns true if the texts are equal. The time that this takes does not depend on the texts. */
export function sameText(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(hashToken(one)), Buffer.from(hashToken(other)));
}

function newCode(): string {
  const text = Array.from({ length: codeLetters }, () => letters[randomInt(letters.length)]).join("");
  return `${text.slice(0, codeLetters / 2)}-${text.slice(codeLetters / 2)}`;
}

/** Returns a code in capitals, without hyphens and other signs, so that codes that a person types differently are equal. */
function plainCode(code: string): string {
  return code.toUpperCase().replace(/[^A-Z0-9]/g, "");
}

/** Saves the borrower under the wanted name, with a number added if the name is taken. Resolves to the name. */
async function saveBorrower(
  borrowers: RecordFile<Borrower>,
  rest: Omit<Borrower, "name" | "paired">,
  wanted: string,
): Promise<string> {
  const plain = wanted.replace(/[^\w.-]/g, "").slice(0, 40) || "machine";
  let name = plain;
  await borrowers.change((all) => {
    for (let number = 2; all.some((one) => one.name === name); number += 1) name = `${plain}-${number}`;
    return [...all, { name, ...rest, paired: Date.now() }];
  });
  return name;
}

/** Resolves to the body of the pairing request; undefined for any other request. */
async function readBody(request: IncomingMessage): Promise<JsonObject | undefined> {
  const isJson = request.headers["content-type"] === "application/json";
  if (request.method !== "POST" || request.url !== pairPath || !isJson) return undefined;
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > maxBodyBytes) return undefined;
    pieces.push(piece);
  }
  try {
    const value = JSON.parse(Buffer.concat(pieces).toString("utf8")) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
