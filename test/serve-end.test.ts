/** Checks how `localharness serve` begins and ends: places to listen, certificates, several servers, and Ctrl+C. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasScript } from "./run-in-terminal.ts";
import { makePlace, type Place, run, start } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";
import { serve, serverFile } from "./served.ts";
import { openTerminal } from "./terminal/open-terminal.ts";

const model = await serveModel();
const wire = argumentsFor(model);
/** Otherwise a session waits for the answer that another one gets. */
const env = { LOCALHARNESS_PARALLEL_REQUESTS: "8" };

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Returns the process id that a command has written to a file of the workspace. */
async function pidIn({ workspace }: Place, name: string): Promise<number> {
  const path = join(workspace, name);
  await expect.poll(() => existsSync(path) && readFileSync(path, "utf8").endsWith("\n")).toBe(true);
  return Number(readFileSync(path, "utf8"));
}

const background = (name: string) => ({
  calls: [{ name: "bash", arguments: { command: `echo $$ > ${name}; exec sleep 600`, background: true } }],
});

test("Ctrl+C ends sockets, turns, questions and commands, and another server of the folder goes on", async () => {
  model.use({
    turns: [],
    conversations: [
      { says: "job", turns: [background("job"), { text: "It runs." }] },
      { says: "ask", turns: [{ calls: [{ name: "write_file", arguments: { path: "a", content: "b" } }] }] },
      { says: "long", turns: [{ text: "x".repeat(10_000), deltaChars: 1, everyMs: 50 }] },
    ],
  });
  await using served = await serve([...wire, "--sandbox", "off"], { env });
  await using other = await serve(wire, { place: served.place });
  const followers = [];
  for (const content of ["job", "ask", "long"]) {
    const { id } = await served.open();
    followers.push(served.follow({ session: id }));
    await served.send(id, { type: "user-message", content });
  }
  const [job, asking, long] = followers;
  const { request: asked } = (await job?.event("permission-request")) ?? {};
  const { id } = (await served.request("GET", "/api/hub")).json.open[0];
  await served.send(id, { type: "permission-answer", requestId: asked?.requestId ?? "", answer: "once" });
  await job?.event("turn-end");
  await asking?.event("permission-request");
  await long?.event("text-delta");
  const shell = served
    .request("POST", `/api/sessions/${id}/shell`, { command: "echo $$ > shell; exec sleep 600" })
    .catch(() => undefined);
  const pids = [await pidIn(served.place, "job"), await pidIn(served.place, "shell")];
  served.run.child.kill("SIGINT");
  const ended = await served.run.ended;
  expect(ended).toMatchObject({ code: 0, signal: null });
  expect(ended.stderr).not.toMatch(/Error|\n\s+at /);
  for (const follower of followers) expect((await follower.closed).code).toBe(1001);
  await shell;
  await expect.poll(() => pids.filter(lives)).toEqual([]);

  expect((await other.request("GET", "/health")).status).toBe(200);
  const link = await run(["serve", "link"], { place: served.place });
  expect(link.stdout).toContain(`${other.address}/#pair=`);
  await other.open({ kind: "resume", id });
});

test("a closed session ends its own commands only", async () => {
  model.use({
    turns: [],
    conversations: ["one", "two"].map((name) => ({
      says: name,
      turns: [background(name), { text: "It runs." }],
    })),
  });
  await using served = await serve([...wire, "--sandbox", "off", "--mode", "bypass"]);
  const ids: string[] = [];
  for (const content of ["one", "two"]) {
    const { id } = await served.open();
    ids.push(id);
    const follower = served.follow({ session: id });
    await served.send(id, { type: "user-message", content });
    await follower.event("turn-end");
  }
  const [one = 0, two = 0] = [await pidIn(served.place, "one"), await pidIn(served.place, "two")];
  await served.request("POST", `/api/sessions/${ids[0]}/close`, {});
  await expect.poll(() => lives(one)).toBe(false);
  expect(lives(two)).toBe(true);
  expect(await served.host(ids[1] ?? "", "listJobs")).toMatchObject([{ running: true }]);
});

test("a shell command of the person streams its output and ends with its client", async () => {
  await using served = await serve([...wire, "--sandbox", "off"]);
  const { id } = await served.open();
  const { text } = await served.request("POST", `/api/sessions/${id}/shell`, { command: "echo out; exit 3" });
  const lines = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines[0]).toEqual({ output: "out" });
  expect(lines.at(-1)).toMatchObject({ report: { exitCode: 3 } });
  const leaving = new AbortController();
  const gone = fetch(`${served.address}/api/sessions/${id}/shell`, {
    method: "POST",
    signal: leaving.signal,
    headers: { Authorization: `Bearer ${served.token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ command: "echo $$ > pid; yes" }),
  });
  const pid = await pidIn(served.place, "pid");
  leaving.abort();
  await gone.catch(() => undefined);
  await expect.poll(() => lives(pid)).toBe(false);
});

test("serve link says that a folder cannot be opened", async () => {
  const ended = await run(["serve", "link", "--workspace", "missing"]);
  expect(ended).toMatchObject({ code: 2, stdout: "" });
  expect(ended.stderr).toMatch(/^localharness: missing cannot be opened: ENOENT/);
});

test("a port that is taken is told with what has it", async () => {
  await using served = await serve(wire);
  const port = new URL(served.address).port;
  const ended = await run(["serve", "--port", port, ...wire], { place: served.place });
  expect(ended.code).toBe(2);
  expect(ended.stderr).toMatch(`port ${port} of 127.0.0.1 is taken by localharness serve`);
  expect(ended.stderr).toContain("localharness serve link");
  const foreign = await run(["serve", "--port", String(model.port), ...wire]);
  expect(foreign.stderr).toMatch(`port ${model.port} of 127.0.0.1 is taken by another program`);
});

test.each([
  [["--listen", "0.0.0.0:0"], /needs --tls-cert and --tls-key/],
  [["--listen", "127.example.com:0"], /needs --tls-cert and --tls-key/],
  [["--listen", "nonsense"], /needs an address and a port/],
  [["--listen", "127.0.0.1:70000"], /a port from 0 to 65535/],
  [["--tls-cert", "a.pem"], /go together/],
  [["--tls-cert", "a.pem", "--tls-key", "b.pem"], /a\.pem cannot be read/],
  [["--host-name", "https://box.example/"], /--host-name needs names/],
])("refuses %s", async (args, message) => {
  const ended = await run(["serve", ...args, ...wire]);
  expect(ended.code).toBe(2);
  expect(ended.stderr).toMatch(message);
});

/** Makes a certificate that nobody else has signed. Returns the paths of the certificate and its key. */
function certificateIn({ home }: Place, name: string): readonly [string, string] {
  const [cert, key] = [join(home, `${name}.pem`), join(home, `${name}.key`)];
  const names = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`];
  const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...names];
  execFileSync("openssl", [...made, "-keyout", key, "-out", cert], { stdio: "ignore" });
  return [cert, key];
}

test("beyond loopback it listens with a certificate, under its own names only", async () => {
  const place = makePlace();
  const [cert, key] = certificateIn(place, "localhost");
  const args = [
    "serve",
    "--listen",
    "0.0.0.0:0",
    "--tls-cert",
    cert,
    "--tls-key",
    key,
    "--host-name",
    "box.example",
  ];
  const server = await start([...args, ...wire], { place });
  await server.said(/#pair=/);
  const { token, servers } = JSON.parse(readFileSync(serverFile(place), "utf8"));
  const port = new URL(servers[0].address).port;
  expect(servers[0].address).toMatch(/^https:/);
  const ca = readFileSync(cert);
  const status = (host: string, headers: Record<string, string> = {}) =>
    new Promise<number | undefined>((resolve, reject) => {
      const all = { Host: host, Authorization: `Bearer ${token}`, ...headers };
      const sent = request({
        host: "127.0.0.1",
        port,
        path: "/api/hub",
        ca,
        servername: "localhost",
        headers: all,
      });
      sent.once("response", (response) => resolve(response.resume().statusCode)).once("error", reject);
      sent.end();
    });
  expect(await status(`localhost:${port}`)).toBe(200);
  expect(await status("box.example", { Origin: "https://box.example" })).toBe(200);
  expect(await status("box.example", { Origin: "http://box.example" })).toBe(403);
  expect(await status("evil.example")).toBe(403);
  server.child.kill("SIGINT");
  expect((await server.ended).code).toBe(0);
});

test("a certificate of one's own: serve link trusts it, attach trusts it by its file, and no other one", async () => {
  const place = makePlace();
  const [cert, key] = certificateIn(place, "box.lan");
  const [other] = certificateIn(place, "other.lan");
  const server = await start(
    ["serve", "--listen", "127.0.0.1:0", "--tls-cert", cert, "--tls-key", key, ...wire],
    {
      place,
    },
  );
  await server.said(/#pair=/);
  const link = async () => (await run(["serve", "link"], { place })).stdout.trim();
  expect(await link()).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/#pair=[\w-]+$/);
  const elsewhere = makePlace();
  const attach = async (...args: readonly string[]) =>
    (await run(["attach", ...args, await link()], { place: elsewhere })).stderr;
  expect(await attach()).toContain("its certificate is not trusted here. --tls-cert FILE");
  expect(await attach("--tls-cert", other)).toContain("its certificate is not trusted here");
  expect(await attach("--tls-cert", key)).toContain("is not a certificate in PEM format");
  if (!hasScript) return;
  const remote = await openTerminal({ place: elsewhere, args: ["attach", "--tls-cert", cert, await link()] });
  await remote.waitFor(`${place.workspace} at https://`);
  model.use({ turns: [{ text: "Over TLS." }] });
  remote.type("hello\r");
  await remote.waitFor("Over TLS.");
  const here = await openTerminal({ place, args: ["attach"] });
  await here.waitFor("Over TLS.");
  server.child.kill("SIGINT");
  expect((await server.ended).code).toBe(0);
});

test("a proxy with TLS in front of loopback: its pages use the server under --host-name", async () => {
  await using served = await serve([...wire, "--host-name", "box.tail1.example,localhost:8080"]);
  const from = (host: string, origin: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const { hostname, port } = new URL(served.address);
      import("node:http").then(({ request: plain }) => {
        const headers = { Host: host, Origin: origin, Authorization: `Bearer ${served.token}` };
        const sent = plain({ hostname, port, path: "/api/hub", headers });
        sent.once("response", (response) => resolve(response.resume().statusCode)).once("error", reject);
        sent.end();
      }, reject);
    });
  expect(await from("box.tail1.example", "https://box.tail1.example")).toBe(200);
  expect(await from("box.tail1.example", "http://box.tail1.example")).toBe(403);
  expect(await from("localhost:8080", "http://localhost:8080")).toBe(200);
  expect(await from("other.example", "https://other.example")).toBe(403);
});
