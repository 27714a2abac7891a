/** Starts `localharness serve` for the rows about its sockets. */
import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { DriveOptions } from "./drive-call.ts";
import type { Place } from "./place.ts";
import { endGroup, startProgram } from "./program.ts";

export interface ServedProgram {
  readonly child: ChildProcess;
  readonly port: number;
  /** A link that pairs one browser. */
  readonly link: string;
  readonly token: string;
  /** Returns what the program has printed so far. */
  printed(): { readonly output: string; readonly errors: string };
  /** Sends a request with the token, and returns the JSON of the reply. */
  api(method: string, path: string, body?: object): Promise<unknown>;
  /** Ends the program as Ctrl+C does, and kills it if it hangs. */
  end(): Promise<{ readonly code: number | null; readonly signal: string | null; readonly hung: boolean }>;
}

export async function startServed(
  place: Place,
  baseUrl: string,
  { program, sandbox, limitMs }: DriveOptions,
): Promise<ServedProgram> {
  const args = ["serve", "--listen", "127.0.0.1:0", "--sandbox", sandbox];
  const env = { LOCALHARNESS_PARALLEL_REQUESTS: "1024" };
  const child = startProgram({
    program,
    sandbox,
    place,
    args: [...args, "--base-url", baseUrl, "--model", "fake-model"],
    env,
  });
  const texts = { output: "", errors: "" };
  child.stdout?.setEncoding("utf8").on("data", (piece: string) => {
    texts.output += piece;
  });
  child.stderr?.setEncoding("utf8").on("data", (piece: string) => {
    texts.errors += piece;
  });
  const closed = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  const link = await linkFrom(() => texts, child, limitMs);
  const { token } = JSON.parse(
    readFileSync(join(place.home, ".local", "state", "localharness", "server.json"), "utf8"),
  ) as { token: string };
  const port = Number(new URL(link).port);
  return {
    child,
    port,
    link,
    token,
    printed: () => ({ ...texts }),
    async api(method, path, body) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return response.json();
    },
    async end() {
      child.kill("SIGINT");
      const late = new AbortController();
      const hung = sleep(limitMs, true, { signal: late.signal }).catch(() => false);
      const isHung = await Promise.race([closed.then(() => false), hung]);
      late.abort();
      endGroup(child);
      return { ...(await closed), hung: isHung };
    },
  };
}

async function linkFrom(
  texts: () => { readonly output: string; readonly errors: string },
  child: ChildProcess,
  limitMs: number,
): Promise<string> {
  for (let left = limitMs / 20; left > 0 && child.exitCode === null; left -= 1) {
    const link = /https?:\/\/\S+#pair=\S+/.exec(texts().output)?.[0];
    if (link !== undefined) return link;
    await sleep(20);
  }
  endGroup(child);
  throw new Error(`the server did not start: ${texts().errors}`);
}

/** Returns the addresses on which a process listens, such as `127.0.0.1:4096`. */
export function listeningAddresses(pid: number): readonly string[] {
  const own = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
      try {
        return [/^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${name}`))?.[1] ?? ""];
      } catch {
        return [];
      }
    }),
  );
  return ["tcp", "tcp6"].flatMap((name) =>
    readFileSync(`/proc/${pid}/net/${name}`, "utf8")
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === "0A" && own.has(fields[9] ?? "-"))
      .map((fields) => addressOf(fields[1] ?? "")),
  );
}

/** Converts an address from the hexadecimal form of the kernel to a form such as `127.0.0.1:4096`. */
function addressOf(text: string): string {
  const [address = "", port = ""] = text.split(":");
  const bytes = Buffer.from(address, "hex");
  for (let at = 0; at < bytes.length; at += 4) bytes.subarray(at, at + 4).reverse();
  const isLoopback6 =
    bytes.length === 16 && bytes.subarray(0, 15).every((byte) => byte === 0) && bytes[15] === 1;
  const name = bytes.length === 4 ? bytes.join(".") : isLoopback6 ? "[::1]" : `[${bytes.toString("hex")}]`;
  return `${name}:${Number.parseInt(port, 16)}`;
}
