/** Finds out whether a connection comes from a program of the same user. Only Linux tells who owns the other end. */
import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";

/** The ends of a connection, as the server sees them. */
export type Ends = Pick<Socket, "remoteAddress" | "remotePort" | "localAddress" | "localPort">;

/**
 * Returns true if the other end belongs to the user of this process or to root. On Linux, returns false if the other end is
 * not found. On other systems, always returns true.
 */
export async function isOwnUser(ends: Ends): Promise<boolean> {
  if (process.platform !== "linux") return true;
  const tables = await Promise.all(
    ["/proc/net/tcp", "/proc/net/tcp6"].map((path) => readFile(path, "utf8").catch(() => "")),
  );
  const user = userOf(tables.join("\n"), ends);
  return user !== undefined && (user === 0 || user === process.getuid?.());
}

/** The state of a connection whose two ends are open. In other states the table names root as the user, whoever it is. */
const established = "01";

/** Returns the user id of the other end, from the kernel's tables of connections; undefined if they do not list it. */
export function userOf(tables: string, ends: Ends): number | undefined {
  const [remote, local] = [
    placeOf(ends.remoteAddress, ends.remotePort),
    placeOf(ends.localAddress, ends.localPort),
  ];
  if (remote === undefined || local === undefined) return undefined;
  for (const line of tables.split("\n")) {
    // The other end has our remote place as its local one.
    const [, from, to, state, , , , user] = line.trim().split(/\s+/);
    if (from === remote && to === local && state === established) return Number(user);
  }
  return undefined;
}

/** Returns a place as the table writes it: in hexadecimal, each word's bytes reversed. Undefined for IPv6, except `::1`. */
function placeOf(address: string | undefined, port: number | undefined): string | undefined {
  const plain = (address ?? "").replace(/^::ffff:/i, "");
  const bytes = plain.split(".").map(Number);
  const isIpv4 = bytes.length === 4;
  if (port === undefined || (!isIpv4 && plain !== "::1")) return undefined;
  const digits = (value: number, length: number) => value.toString(16).toUpperCase().padStart(length, "0");
  const word = isIpv4
    ? bytes
        .toReversed()
        .map((byte) => digits(byte, 2))
        .join("")
    : `${"0".repeat(24)}01000000`;
  return `${word}:${digits(port, 4)}`;
}
