/** Keeps which machines may use a lent folder, and which folders of other machines this one may use. */
import { createHash } from "node:crypto";
import type { JsonObject } from "@localharness/protocol";
import type { RecordKind } from "./record-file.ts";

/** A machine that may use a folder of this one. Its token is kept as a hash only. */
export interface Borrower {
  readonly name: string;
  /** The real path of the folder. */
  readonly folder: string;
  /** SHA-256 of the token, in hex. */
  readonly tokenHash: string;
  /** The time of the pairing in Unix milliseconds. */
  readonly paired: number;
}

/** A folder of another machine that this one may use. */
export interface LentPlace {
  readonly name: string;
  /** The address, such as `wss://host:4100`. */
  readonly url: string;
  readonly token: string;
}

export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

export const borrowerKind: RecordKind<Borrower> = {
  file: "lent.json",
  contents: "machines that may use lent folders",
  read({ name, folder, tokenHash, paired }) {
    return areTexts(name, folder, tokenHash) && typeof paired === "number"
      ? ({ name, folder, tokenHash, paired } as unknown as Borrower)
      : undefined;
  },
};

export const placeKind: RecordKind<LentPlace> = {
  file: "elsewhere.json",
  contents: "folders of other machines",
  read({ name, url, token }: JsonObject) {
    return areTexts(name, url, token) ? ({ name, url, token } as unknown as LentPlace) : undefined;
  },
};

function areTexts(...values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === "string");
}
