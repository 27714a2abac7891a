/** Reads from the output of strace what a program and its children started and connected to. */
import { execFileSync } from "node:child_process";

export interface Traced {
  /** Paths of started programs, without duplicates. */
  readonly started: readonly string[];
  /** Addresses of connections without duplicates: `127.0.0.1:80`, or the path of a local socket. */
  readonly connected: readonly string[];
}

export function hasTracer(): boolean {
  try {
    execFileSync("strace", ["-V"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

export function readTrace(text: string): Traced {
  const started = new Set<string>();
  const connected = new Set<string>();
  const pending = new Map<string, string>();
  for (const line of text.split("\n")) {
    const pid = /^\d+/.exec(line)?.[0] ?? "";
    const program = /\bexecve\("((?:[^"\\]|\\.)*)"/.exec(line)?.[1];
    // Lines of other processes may come between the start and the end of a call.
    if (program !== undefined) pending.set(pid, program);
    if (/\bexecve\b.* = 0$/.test(line)) started.add(pending.get(pid) ?? "?");
    const call = /\bconnect\(\d+, \{(.*?)\}/.exec(line)?.[1];
    if (call !== undefined) connected.add(addressOf(call));
  }
  return { started: [...started].sort(), connected: [...connected].sort() };
}

function addressOf(call: string): string {
  const port = /sin6?_port=htons\((\d+)\)/.exec(call)?.[1];
  const host = /"([0-9a-fA-F.:]+)"/.exec(call)?.[1];
  if (port !== undefined) return `${host}:${port}`;
  return /sun_path=@?"([^"]*)"/.exec(call)?.[1] ?? call;
}
