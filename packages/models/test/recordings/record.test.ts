import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HarnessError } from "@localharness/engine";
import { expect, it } from "vitest";
import { recordHttp } from "../../src/index.ts";
import { startFakeServer } from "../fake-server/index.ts";
import { createTestHttp } from "../test-request.ts";

const about = { provider: "custom", baseUrl: "http://a", model: "m", secrets: [] };

function makePath(): string {
  return join(mkdtempSync(join(tmpdir(), "record-")), "recording.jsonl");
}

it("makes the file readable only by its owner, even if it existed before", () => {
  const path = makePath();
  writeFileSync(path, "old");
  chmodSync(path, 0o644);
  recordHttp(createTestHttp(), path, about);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it("reports why the file cannot be created", () => {
  const path = join(makePath(), "below");
  expect(() => recordHttp(createTestHttp(), path, about)).toThrow(HarnessError);
  expect(() => recordHttp(createTestHttp(), path, about)).toThrow(
    `The recording ${path} cannot be written (ENOENT`,
  );
});

it("fails a request whose recording cannot be written, at its start or in the middle", async () => {
  await using server = await startFakeServer({ turns: [] });
  const path = makePath();
  const http = recordHttp(createTestHttp(), path, about);
  const send = () =>
    http.send({ method: "GET", url: `${server.baseUrl}/models`, headers: {} }, new AbortController().signal);
  const breakFile = () => {
    rmSync(path);
    mkdirSync(path);
  };
  const answer = await send();
  if (answer.kind !== "response") throw new Error(answer.message);
  breakFile();
  const failure = {
    kind: "local",
    message: expect.stringContaining(`The recording ${path} cannot be written`),
  };
  const parts: unknown[] = [];
  for await (const part of answer.parts) parts.push(part);
  expect(parts).toEqual([failure]);
  expect(await send()).toEqual(failure);
  expect(server.log).toHaveLength(1);
});
