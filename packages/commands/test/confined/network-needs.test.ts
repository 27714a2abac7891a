import { covers, portOfThisMachine } from "@localharness/processes/sandbox/named-hosts";
import { describe, expect, test } from "vitest";
import { cachesOf, hostsOf } from "../../src/confined/network-needs.ts";
import { needsNetwork, onlyDownloads } from "../../src/shell/command-effect.ts";

const callsOf = (command: string) => command.split(" && ").map((call) => call.split(" "));

test.each<readonly [string, readonly string[] | undefined]>([
  ["npm view left-pad", ["registry.npmjs.org"]],
  ["npm install a && npm ci", ["registry.npmjs.org"]],
  ["npm install a --registry=https://Npm.Example.org/x/", ["npm.example.org"]],
  ["npm install a --registry http://localhost:4873", ["localhost:4873"]],
  ["pip install --index-url http://127.0.0.1:3141/root/pypi/+simple/ a", ["127.0.0.1:3141"]],
  ["pip3 install a", ["pypi.org", "files.pythonhosted.org"]],
  ["python3 -m pip install a", ["pypi.org", "files.pythonhosted.org"]],
  [
    "uv add a && cargo add b",
    ["pypi.org", "files.pythonhosted.org", "index.crates.io", "static.crates.io", "crates.io"],
  ],
  ["go get example.org/x", ["proxy.golang.org", "sum.golang.org"]],
  ["gem install a", ["rubygems.org", "index.rubygems.org"]],
  ["curl -s https://user:word@example.com:8443/a?b", ["example.com"]],
  ["git clone git@example.com:a/b.git", ["example.com"]],
  ["pip install git+https://example.com/a/b", ["example.com"]],
  ["git fetch", undefined],
  ["curl $ADDRESS", undefined],
  ["curl https://a.example && git fetch", undefined],
])("the hosts of %s are %j", (command, hosts) => expect(hostsOf(callsOf(command))).toEqual(hosts));

test.each<readonly [string, string, boolean]>([
  ["example.com", "example.com", true],
  ["Example.com", "example.com", true],
  ["*.example.com", "a.example.com", true],
  ["*.example.com", "example.com", false],
  ["example.com", "notexample.com", false],
  ["localhost:4873", "127.0.0.1:4873", true],
  ["localhost:4873", "localhost:4874", false],
  ["localhost", "localhost:4873", false],
  ["*.example.com", "127.0.0.1", false],
])("%s covers %s: %s", (entry, host, covered) => expect(covers(entry, host)).toBe(covered));

test.each<readonly [string, number | undefined]>([
  ["localhost:4873", 4873],
  ["[::1]:80", 80],
  ["127.1.2.3:65535", 65_535],
  ["127.0.0.1:65536", undefined],
  ["127.0.0.1:0", undefined],
  ["example.com:80", undefined],
  ["localhost.example.com:80", undefined],
  ["localhost", undefined],
])("%s is the port %s of this machine", (entry, port) => expect(portOfThisMachine(entry)).toBe(port));

describe("caches", () => {
  test("are those of the programs that are called", () => {
    expect(cachesOf(callsOf("npm ci && cargo fetch && ls"))).toEqual([
      "~/.npm/_cacache",
      "~/.npm/_logs",
      "~/.cargo/registry",
      "~/.cargo/git",
    ]);
  });

  test("hold nothing that a program runs by itself, and no settings", async () => {
    const { allRows } = await import("../../src/shell/programs/table.ts");
    const caches = allRows().flatMap(([, row]) => row.caches?.split(" ") ?? []);
    expect(caches.length).toBeGreaterThan(10);
    for (const cache of caches) expect(cache).toMatch(/^~\/[\w./-]+\/[\w-]+$/);
    expect(
      caches.filter((cache) => /\/(?:bin|_npx|config|node_modules)$|^~\/\.(?:npm|cargo|gem)$/.test(cache)),
    ).toEqual([]);
  });
});

test.each<readonly [string, boolean, boolean]>([
  ["npm install a", true, true],
  ["npm view a", true, true],
  ["pip download a", true, true],
  ["npm publish", true, false],
  ["cargo publish", true, false],
  ["npm install a && git push", true, false],
  ["curl https://example.com", true, false],
  ["npm test", false, true],
  ["python3 -m pytest", false, true],
  ["cargo build", false, true],
])("%s needs the network: %s, and only downloads: %s", (command, needs, downloads) => {
  expect(needsNetwork(callsOf(command))).toBe(needs);
  expect(onlyDownloads(callsOf(command))).toBe(downloads);
});
