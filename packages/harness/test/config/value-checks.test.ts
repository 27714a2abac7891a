import { expect, test } from "vitest";
import { webhookAddress } from "../../src/config/value-checks.ts";

test.each([
  ["https://box.example/hook", true],
  ["http://localhost:8080/hook", true],
  ["http://LocalHost/hook", true],
  ["http://127.0.0.1/@box", true],
  ["http://[::1]:8080", true],
  ["http://box.example/hook", false],
  ["http://127.example.com/", false],
  ["http://localhost:80@box.example/", false],
  ["http://localhost@box.example/", false],
  ["http://localhost.box.example/", false],
  ["https://user@box.example/", false],
  ["ftp://127.0.0.1/", false],
])("%s is an address of a webhook: %j", (value, expected) => {
  expect(webhookAddress().read(value)).toBe(expected ? value : undefined);
});
