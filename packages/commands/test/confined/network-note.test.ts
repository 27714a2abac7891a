import { expect, test } from "vitest";
import { networkNote, networkOfCommand } from "../../src/confined/network-note.ts";

const on = { state: { kind: "on", summary: "bubblewrap" }, domains: [] } as const;
const callsOf = (command: string) =>
  command.split(/[|;]/).map((call) => call.replace(/2?>.*/, "").trim().split(" "));
const failed = (output: string, command = "make") => ({ calls: callsOf(command), output, succeeded: false });

test.each([
  "curl: (6) Could not resolve host: example.com",
  "npm error code EAI_AGAIN",
  "Error: getaddrinfo ENOTFOUND registry.example",
  "connect: Network is unreachable",
  "fatal: unable to access 'https://x/': Couldn't resolve host 'x'",
  "ping: example.com: Temporary failure in name resolution",
  "E: Temporary failure resolving 'deb.example'",
  "ssh: Could not resolve hostname h: Name or service not known",
  "wget: unable to resolve host address 'x'",
  "error: failed to lookup address information",
  'Get "https://proxy": dial tcp: lookup proxy: no such host',
  "Failed to establish a new connection: [Errno -3]",
  "ping: bad address 'example.com'",
])("%j is a failure of the network", (output) => {
  expect(networkNote(on, failed(output))).toMatch(
    /^the sandbox closes the network for commands\. .*make exactly this call again.*sandbox_domains.*--sandbox off/,
  );
});

test.each([
  "fatal: not a git repository",
  "1 test failed",
  "",
  "cat: network.txt: No such file or directory",
])("%j is another failure", (output) => expect(networkNote(on, failed(output))).toBeUndefined());

test.each<[string, string, boolean]>([
  ["curl http://localhost:3000/", "curl: (7) Failed to connect to localhost port 3000 after 0 ms", false],
  ["curl -s http://127.0.0.1:3000/", "", false],
  ["curl -s http://localhost:3000/ | head -5", "", true],
  ["curl http://localhost:3000/ 2>&1 | head", "curl: (7) Failed to connect to localhost port 3000", true],
  ["npm run e2e", "Error: connect ECONNREFUSED 127.0.0.1:5432", false],
  ["npm run e2e", "Error: connect ECONNREFUSED ::1:5432, connect ECONNREFUSED 127.0.0.1:5432", false],
])("%j with output %j cannot reach a server of another command", (command, output, succeeded) => {
  const request = { calls: callsOf(command), output, succeeded };
  expect(networkNote(on, request)).toBe(networkOfCommand);
  expect(networkNote({ state: { kind: "off" }, domains: [] }, request)).toBeUndefined();
});

test.each([
  ["grep -rn localhost src", ""],
  ["curl -s http://localhost:3000/", "<html>"],
  ["cat notes.txt", "getaddrinfo ENOTFOUND x"],
  ["cat server.log", "connection refused by peer"],
  ["docker ps | head", ""],
])("%j with output %j has no note when it succeeds", (command, output) => {
  expect(networkNote(on, { calls: callsOf(command), output, succeeded: true })).toBeUndefined();
});

test("a request that fails in a pipe has the note although the command succeeds", () => {
  const output = "curl: (6) Could not resolve host: example.com";
  const calls = callsOf("curl https://example.com | head");
  expect(networkNote(on, { calls, output, succeeded: true })).toMatch(/closes the network/);
});

test("names the hosts that are open, and says nothing without a sandbox", () => {
  const output = "Could not resolve host: a.example";
  expect(networkNote({ ...on, domains: ["b.example"] }, failed(output))).toMatch(/reach only b\.example\./);
  expect(networkNote({ state: { kind: "off" }, domains: [] }, failed(output))).toBeUndefined();
});

test.each<[string, string, boolean]>([
  ["curl -s https://example.com | head -3", "", true],
  ["curl -s https://example.com > a; wc -c a", "0 a", true],
  ["wget -qO- https://example.com", "", true],
  ["npm install", "up to date", false],
  ["cat a | head", "", false],
  ["git status | head", "x", false],
])("%j with output %j: the closed network is said: %s", (command, output, isSaid) => {
  const request = { calls: callsOf(command), output, succeeded: true };
  const note = networkNote(on, request);
  expect(note?.startsWith("the sandbox closes the network") ?? false).toBe(isSaid);
  expect(networkNote({ ...on, domains: ["example.com"] }, request)).toBe(undefined);
});

test("a call that had the network is not told to ask for it again", () => {
  const request = { ...failed("Could not resolve host: printer.local"), offer: "network" };
  expect(networkNote(on, request)).toMatch(/^this call had the network that the question about it named/);
});
