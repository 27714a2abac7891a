/** Checks `localharness serve --open` with programs in place of the system's opener of links. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { makePlace, type Place, start } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const wire = argumentsFor(await serveModel());
const opener = process.platform === "darwin" ? "open" : "xdg-open";

/** Starts the server with this script as the opener. `PATH` has also the folder of the workspace if it is given first. */
async function serveWith(place: Place, script: string | undefined, first = "") {
  const bin = join(place.home, "bin");
  mkdirSync(bin);
  if (script !== undefined) writeOpener(join(bin, opener), script);
  return start(["serve", "--listen", "127.0.0.1:0", "--open", ...wire], {
    place,
    env: {
      PATH: `${first === "" ? "" : `${first}:`}${bin}:${dirname(process.execPath)}`,
      DISPLAY: ":7",
      XDG_CURRENT_DESKTOP: "TEA",
      OPENAI_API_KEY: "sk-a-key-of-a-provider",
    },
  });
}

function writeOpener(path: string, script: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

/** Uses the link as another user of the machine, and returns what the server answers. */
function pairAsNobody(link: string): string {
  const { host, port, hash } = new URL(link);
  const body = JSON.stringify({ code: hash.slice("#pair=".length) });
  const head = `POST /api/pair HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nConnection: close\r\n`;
  const script = 'exec 3<>"/dev/tcp/127.0.0.1/$1"; printf %s "$2" >&3; exec cat <&3';
  const request = `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
  const nobody = { uid: 65_534, gid: 65_534, cwd: "/", encoding: "utf8" } as const;
  return execFileSync("/bin/bash", ["-c", script, "bash", port, request], nobody);
}

test("the opener gets the link and the person's screen, without keys, and outlives the server", async () => {
  const place = makePlace();
  const told = join(place.home, "told");
  const script = `{ echo $$ "$1"; /usr/bin/env; echo end; } > '${told}'; exec /bin/sleep 600`;
  const server = await serveWith(place, script);
  await expect.poll(() => existsSync(told) && readFileSync(told, "utf8").endsWith("end\n")).toBe(true);
  const text = readFileSync(told, "utf8");
  const [, pid = "", link = ""] = /^(\d+) (\S+)\n/.exec(text) ?? [];
  try {
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#pair=[\w-]+$/);
    expect(text).toContain("\nDISPLAY=:7\n");
    expect(text).toContain("\nXDG_CURRENT_DESKTOP=TEA\n");
    expect(text).not.toContain("sk-a-key");
    if (process.platform === "linux" && process.getuid?.() === 0) {
      expect(pairAsNobody(link)).toMatch(/^HTTP\/1\.1 401 .*is for another user/s);
    }
    const pair = await fetch(`${new URL(link).origin}/api/pair`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ code: new URL(link).hash.slice("#pair=".length) }),
    });
    expect(pair.status).toBe(200);
    server.child.kill("SIGINT");
    expect((await server.ended).code).toBe(0);
    expect(process.kill(Number(pid), 0)).toBe(true);
  } finally {
    process.kill(Number(pid), "SIGKILL");
  }
});

test.each([
  ["fails", "exit 3", `${opener} ended with exit code 3`],
  ["is missing", undefined, `${opener} is not installed`],
])("an opener that %s is told together with the link", async (_, script, reason) => {
  const server = await serveWith(makePlace(), script);
  await server.said(/no browser was opened: .*Open this link yourself: http:\S+#pair=\S+/);
  expect(server.output().stderr).toContain(reason);
  server.child.kill("SIGKILL");
  await server.ended;
});

test("an opener of the workspace is not started", async () => {
  const place = makePlace();
  const bin = join(place.workspace, "bin");
  writeOpener(join(bin, opener), `touch '${place.home}/owned'`);
  const server = await serveWith(place, undefined, bin);
  await server.said(`${opener} is not installed`);
  expect(existsSync(join(place.home, "owned"))).toBe(false);
  server.child.kill("SIGKILL");
  await server.ended;
});
