/** Lends a folder of test files with the built program, and opens a link to the folder as the program does. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sendCode } from "@localharness/harness/lend/pairing";
import { type Link, openLinkTo } from "@localharness/mcp/elsewhere";
import { openSocket } from "@localharness/models/socket-door";

export const smallFiles = 100;
export const smallBytes = 4_096;
export const largeBytes = 10_000_000;
export const smallName = (index: number) => `small-${index % smallFiles}.txt`;
export const largeName = "large.txt";

export interface LentPlace extends AsyncDisposable {
  readonly folder: string;
  readonly port: number;
  /** Opens a link at this host, such as `127.0.0.1` or `[::1]`. */
  link(host: string): Promise<Link>;
}

export async function lendPlace(program: readonly string[]): Promise<LentPlace> {
  const base = mkdtempSync(join(tmpdir(), "localharness-bench-lend-"));
  const [home, folder] = [join(base, "home"), join(base, "folder")];
  const config = join(home, ".config", "localharness");
  for (const path of [config, folder]) mkdirSync(path, { recursive: true });
  // The bench makes more calls in a minute than a model.
  writeFileSync(join(config, "config.json"), JSON.stringify({ "limits.calls_per_minute": 100_000 }));
  const line = `${"x".repeat(63)}\n`;
  for (let index = 0; index < smallFiles; index += 1) {
    writeFileSync(join(folder, smallName(index)), line.repeat(smallBytes / line.length));
  }
  writeFileSync(join(folder, largeName), line.repeat(largeBytes / line.length));
  const [command = process.execPath, ...first] = program;
  const args = [...first, "lend", folder, "--trust", "--sandbox", "off", "--listen", "127.0.0.1:0"];
  const env = { PATH: process.env["PATH"], HOME: home, LANG: "C.UTF-8" };
  const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "ignore"] });
  const { url, code } = await addressOf(child);
  const token = await sendCode((address, init) => fetch(address, init), url, code, "bench");
  const port = Number(new URL(url).port);
  return {
    folder,
    port,
    link: (host) =>
      openLinkTo({
        name: "bench",
        version: "0",
        patienceMs: 1_000,
        tell: () => undefined,
        connect: (signal) =>
          openSocket(`ws://${host}:${port}/ws`, { authorization: `Bearer ${token}` }, signal),
      }),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await once(child, "close");
      rmSync(base, { recursive: true, force: true });
    },
  };
}

async function addressOf(child: ChildProcess): Promise<{ readonly url: string; readonly code: string }> {
  let text = "";
  for await (const piece of child.stdout ?? []) {
    text += String(piece);
    const [, url, code] = /lend pair (ws:\S+) (\S+)\n/.exec(text) ?? [];
    if (url !== undefined && code !== undefined) return { url, code };
  }
  throw new Error(`localharness lend ended: ${text}`);
}
