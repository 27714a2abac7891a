import { expect, test } from "vitest";
import { networkNote } from "../../src/sandbox/network-note.ts";

const on = { state: { kind: "on", summary: "bubblewrap" }, domains: [] } as const;

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
  expect(networkNote(on, output)).toMatch(
    /^the sandbox closes the network for commands.*sandbox_domains.*--sandbox off/,
  );
});

test.each([
  "fatal: not a git repository",
  "1 test failed",
  "",
  "cat: network.txt: No such file or directory",
])("%j is another failure", (output) => expect(networkNote(on, output)).toBeUndefined());

test("names the hosts that are open, and says nothing without a sandbox", () => {
  const output = "Could not resolve host: a.example";
  expect(networkNote({ ...on, domains: ["b.example"] }, output)).toMatch(/reach only b\.example,/);
  expect(networkNote({ state: { kind: "off" }, domains: [] }, output)).toBeUndefined();
});
