/** A registry of packages on loopback, as npm, pip and go speak to one: each has one package with a script or a module. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface PackageRegistry {
  readonly port: number;
  /** The paths that clients asked for. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** `script` is the `postinstall` script of the package `tiny-greeting` of npm. */
export async function openRegistry(script: string): Promise<PackageRegistry> {
  const folder = mkdtempSync(join(tmpdir(), "lh-registry-"));
  const tarball = npmPackage(folder, script);
  const wheel = pythonWheel(folder);
  const goFiles = goModule(folder);
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    answer(request, response, { tarball, wheel, goFiles });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Files {
  readonly tarball: Buffer;
  readonly wheel: Buffer;
  /** The files of the module proxy, by their paths. */
  readonly goFiles: ReadonlyMap<string, string | Buffer>;
}

function answer({ url = "", headers }: IncomingMessage, response: ServerResponse, files: Files): void {
  const base = `http://${headers.host}`;
  if (url === "/tiny-greeting") {
    const integrity = `sha512-${createHash("sha512").update(files.tarball).digest("base64")}`;
    const dist = { tarball: `${base}/tiny-greeting/-/tiny-greeting-1.0.0.tgz`, integrity };
    const version = { ...npmManifest, hasInstallScript: true, dist };
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        name: "tiny-greeting",
        "dist-tags": { latest: "1.0.0" },
        versions: { "1.0.0": version },
      }),
    );
  } else if (url.endsWith(".tgz")) response.end(files.tarball);
  else if (url === "/simple/tiny-greeting/") {
    response.setHeader("content-type", "text/html");
    response.end(`<a href="${base}/files/${wheelName}">${wheelName}</a>`);
  } else if (url.endsWith(wheelName)) response.end(files.wheel);
  else if (files.goFiles.has(url)) response.end(files.goFiles.get(url));
  else {
    response.statusCode = 404;
    response.end("{}");
  }
}

const npmManifest = { name: "tiny-greeting", version: "1.0.0", bin: { "tiny-greeting": "bin.js" } };

function npmPackage(folder: string, script: string): Buffer {
  const path = join(folder, "package");
  mkdirSync(path);
  const manifest = { ...npmManifest, scripts: { postinstall: script } };
  writeFileSync(join(path, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(path, "index.js"), 'module.exports = "good day";\n');
  writeFileSync(join(path, "bin.js"), '#!/usr/bin/env node\nconsole.log("good night");\n', { mode: 0o755 });
  execFileSync("tar", ["-czf", join(folder, "p.tgz"), "-C", folder, "package"]);
  return readFileSync(join(folder, "p.tgz"));
}

const wheelName = "tiny_greeting-1.0.0-py3-none-any.whl";

function pythonWheel(folder: string): Buffer {
  const about = join(folder, "tiny_greeting-1.0.0.dist-info");
  mkdirSync(about);
  writeFileSync(join(folder, "tiny_greeting.py"), 'text = "good day"\n');
  writeFileSync(join(about, "METADATA"), "Metadata-Version: 2.1\nName: tiny-greeting\nVersion: 1.0.0\n");
  writeFileSync(join(about, "WHEEL"), "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n");
  const names = ["tiny_greeting.py", ...["METADATA", "WHEEL", "RECORD"].map((name) => `${about}/${name}`)];
  const record = names.map((name) => `${name.replace(`${folder}/`, "")},,\n`).join("");
  writeFileSync(join(about, "RECORD"), record);
  const parts = ["tiny_greeting.py", "tiny_greeting-1.0.0.dist-info/"];
  execFileSync("python3", ["-m", "zipfile", "-c", wheelName, ...parts], { cwd: folder });
  return readFileSync(join(folder, wheelName));
}

const goName = "tiny.example/greeting";

function goModule(folder: string): ReadonlyMap<string, string | Buffer> {
  const text = `module ${goName}\n`;
  const path = join(folder, `${goName}@v1.0.0`);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "go.mod"), text);
  writeFileSync(join(path, "greeting.go"), "package greeting\n");
  execFileSync("python3", ["-m", "zipfile", "-c", "go.zip", "tiny.example"], { cwd: folder });
  const files = {
    list: "v1.0.0\n",
    "v1.0.0.info": '{"Version":"v1.0.0","Time":"2026-01-01T00:00:00Z"}',
    "v1.0.0.mod": text,
    "v1.0.0.zip": readFileSync(join(folder, "go.zip")),
  };
  return new Map(Object.entries(files).map(([name, content]) => [`/go/${goName}/@v/${name}`, content]));
}
