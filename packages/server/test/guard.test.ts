import { judgeRequest } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { ownOrigins } from "../src/own-origins.ts";

const own = ownOrigins({ host: "127.0.0.1", scheme: "http", others: ["https://box.example"] }, 4096);
const host = ["Host", "127.0.0.1:4096"];
const json = ["Content-Type", "application/json"];

test.each([
  ["LOCALHOST", ["localhost:4096", "127.0.0.1:4096", "[::1]:4096"]],
  ["127.example.com", ["127.example.com:4096"]],
])("a server that listens on %s has the names %j", (host, names) => {
  expect([...ownOrigins({ host, scheme: "http", others: [] }, 4096).keys()]).toEqual(names);
});

describe("judgeRequest", () => {
  test.each([
    ["a plain request", "GET", "/api/hub", host, undefined],
    ["another own name", "GET", "/", ["host", "LOCALHOST:4096"], undefined],
    [
      "its own page",
      "POST",
      "/api/sessions",
      [...host, ...json, "Origin", "http://127.0.0.1:4096"],
      undefined,
    ],
    ["a charset", "POST", "/x", [...host, "Content-Type", "application/json; charset=utf-8"], undefined],
    ["escapes in the query", "GET", "/api/sessions?words=a%20b", host, undefined],
    [
      "a page behind a proxy",
      "GET",
      "/",
      ["Host", "box.example", "Origin", "https://box.example"],
      undefined,
    ],
    ["its page without TLS", "GET", "/", ["Host", "box.example", "Origin", "http://box.example"], 403],
    ["no Host", "GET", "/", [], 400],
    ["two Hosts", "GET", "/", [...host, "Host", "evil.example"], 400],
    ["a rebound name", "GET", "/", ["Host", "evil.example:4096"], 403],
    ["another port", "GET", "/", ["Host", "127.0.0.1:1"], 403],
    ["a name that begins like ours", "GET", "/", ["Host", "localhost.evil.example:4096"], 403],
    ["a user in the Host", "GET", "/", ["Host", "127.0.0.1:4096@evil.example"], 403],
    ["another site", "POST", "/api/sessions", [...host, ...json, "Origin", "https://evil.example"], 403],
    [
      "another port of this machine",
      "POST",
      "/x",
      [...host, ...json, "Origin", "http://127.0.0.1:1337"],
      403,
    ],
    ["another of our names", "POST", "/x", [...host, ...json, "Origin", "http://localhost:4096"], 403],
    ["the origin of a sandboxed frame", "POST", "/x", [...host, ...json, "Origin", "null"], 403],
    [
      "two origins",
      "POST",
      "/x",
      [...host, ...json, "Origin", "http://127.0.0.1:4096", "Origin", "null"],
      403,
    ],
    ["a preflight", "OPTIONS", "/api/sessions", host, 405],
    ["TRACE", "TRACE", "/", host, 405],
    ["an absolute target", "GET", "http://evil.example/api/sessions", host, 400],
    ["dot segments", "GET", "/../../etc/passwd", host, 400],
    ["a dot segment at the end", "GET", "/api/..", host, 400],
    ["an escaped slash", "GET", "/api/sessions/..%2f..%2fpolicies", host, 400],
    ["a backslash", "GET", "/assets/..\\package.json", host, 400],
    ["two slashes", "GET", "//evil.example/", host, 400],
    ["a form", "POST", "/api/sessions", [...host, "Content-Type", "text/plain"], 415],
    ["no content type", "POST", "/api/sessions", host, 415],
    ["two content types", "POST", "/x", [...host, ...json, "Content-Type", "text/plain"], 415],
  ])("%s", (_, method, target, rawHeaders, status) => {
    expect(judgeRequest({ method, target, rawHeaders }, own)?.status).toBe(status);
  });
});
