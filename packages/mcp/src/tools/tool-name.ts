/** Makes the names under which the tools of servers are offered, such as `server__tool`. */
import { createHash } from "node:crypto";

/** The maximum length that models accept for the name of a tool. */
const maxChars = 64;
const maxServerChars = 24;
const hashChars = 6;

/**
 * Returns the first part of the names of a server's tools. It consists of letters, digits, `-` and single `_`. It never
 * contains `__` and never ends with `_`, so the first `__` in a name always ends this part. `taken` has the parts of
 * other servers.
 */
export function serverPart(name: string, taken: ReadonlySet<string>): string {
  const plain = name
    .replace(/[^A-Za-z0-9-]+/g, "_")
    .replace(/_{2,}/g, "_")
    .replace(/^_|_$/g, "");
  const short = (plain === "" ? "server" : plain).slice(0, maxServerChars).replace(/_$/, "");
  return taken.has(short) ? `${short}-${hashOf(name)}` : short;
}

/** Returns true if the tool keeps its name when it is offered. Such tools get their names first. */
export function keepsName(tool: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(tool);
}

/**
 * Returns the name under which a tool is offered. It consists of letters, digits, `_` and `-`. `isTaken` returns true if another tool has this name, or a name that
 * differs only in case, `_` and `-`. A name that is taken or too long is cut and ends with a part of a hash.
 */
export function toolName(server: string, tool: string, isTaken: (name: string) => boolean): string {
  const plain = `${server}__${tool.replace(/[^A-Za-z0-9_-]+/g, "_")}`;
  if (plain.length <= maxChars && !isTaken(plain)) return plain;
  return `${plain.slice(0, maxChars - hashChars - 1)}_${hashOf(`${server}\0${tool}`)}`;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, hashChars);
}
