import { expect, test } from "vitest";
import { readEntries } from "../src/config/index.ts";
import { mayInstall } from "../src/config/installs.ts";

const entryOf = (one: object) => {
  const [entry] = readEntries(JSON.stringify({ mcpServers: { s: one } })).entries;
  if (entry === undefined) throw new Error("no entry");
  return entry;
};

test.each([
  ["npx", ["-y", "some-server"], true],
  ["/usr/bin/npx", ["some-server"], true],
  ["NPX.CMD", ["some-server"], true],
  ["uvx", ["some-server"], true],
  ["uv", ["tool", "run", "some-server"], true],
  ["uv", ["--offline", "run", "server.py"], true],
  ["uv", ["pip", "list"], false],
  ["docker", ["run", "-i", "image"], true],
  ["docker", ["exec", "-i", "box", "server"], false],
  ["npm", ["exec", "some-server"], true],
  ["npm", ["start"], false],
  ["node", ["npx", "server.js"], false],
  ["python3", ["-m", "uvx"], false],
  ["constructor", [], false],
  ["my-npx", [], false],
])("%s %j may install the server first: %s", (command, args, expected) => {
  expect(mayInstall(entryOf({ command, args }))).toBe(expected);
});

test("a server over HTTP is installed by nobody here", () => {
  expect(mayInstall(entryOf({ url: "https://npx.example/mcp" }))).toBe(false);
});
