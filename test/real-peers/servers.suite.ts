/** Real MCP servers of other authors: whole turns of the real program call every tool that they offer. */
import { test } from "vitest";
import { callEveryTool, type ToolCase } from "../every-tool.ts";
import { makePlace } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { peerFile } from "./installed-peers.ts";

const model = await serveModel();

const calc: readonly ToolCase[] = [
  { tool: "random", args: { type: "number", min: 7, max: 7 }, data: /\b7\b/ },
  {
    tool: "hash",
    args: { input: "abc", algorithm: "sha256" },
    data: /ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad/,
  },
  { tool: "base64", args: { input: "milk", action: "encode" }, data: /bWlsaw==/ },
  { tool: "encode", args: { input: "a b", action: "encode", type: "url" }, data: /a%20b/ },
  { tool: "datetime", args: { action: "timestamp", timestamp: 0 }, data: /1970-01-01T00:00:00/ },
  { tool: "count", args: { text: "one two" }, data: /\b7\b/ },
  { tool: "math", args: { expression: "6 * 7" }, data: /\b42\b/ },
  { tool: "date", args: { action: "diff", date: "2026-01-01", date2: "2026-01-31" }, data: /\b30\b/ },
  {
    tool: "regex",
    args: { pattern: "l+", text: "hello", action: "replace", replacement: "LL" },
    data: /heLLo/,
  },
  { tool: "base", args: { value: "ff", from: 16, to: 10 }, data: /255/ },
  { tool: "diff", args: { text1: "kitten", text2: "sitting", action: "distance" }, data: /\b3\b/ },
  { tool: "format_validate", args: { input: "a: 1", format: "yaml" }, data: /true/ },
  { tool: "cron_parse", args: { expression: "0 12 * * *", count: 1 }, data: /12:00/ },
  { tool: "luhn", args: { number: "79927398713" }, data: /true/ },
  { tool: "ip", args: { action: "contains", cidr: "10.0.0.0/8", target: "10.1.2.3" }, data: /true/ },
  { tool: "color", args: { color: "#ff0000", to: "rgb" }, data: /255/ },
  { tool: "convert", args: { value: 1, from: "km", to: "m" }, data: /1000/ },
  { tool: "char_info", args: { char: "é" }, data: /00E9/ },
  { tool: "jwt_decode", args: { token: "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ." }, data: /ada/ },
  { tool: "url_parse", args: { url: "https://example.com:8443/a?b=c" }, data: /8443/ },
  { tool: "semver", args: { action: "satisfies", version: "1.2.3", range: "^1.0.0" }, data: /true/ },
];

const hello: readonly ToolCase[] = [
  { tool: "echo", args: { message: "hi" }, data: /hi/ },
  { tool: "add", args: { a: 2, b: 40 }, data: /42/ },
  { tool: "debug", data: /./ },
];

test.each([
  ["@coo-quack/calc-mcp", "dist/index.js", calc],
  ["mcp-hello-world", "build/stdio.js", hello],
] as const)("a whole turn calls every tool of %s", async (name, file, calls) => {
  const entry = { command: process.execPath, args: [peerFile(name, file)] };
  await callEveryTool(model, makePlace(), entry, calls);
});
