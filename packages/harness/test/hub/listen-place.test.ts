import { expect, test } from "vitest";
import { readListenPlace } from "../../src/hub/listen-place.ts";

test.each(["LocalHost", "127.0.0.1", "[0:0:0:0:0:0:0:1]"])("%s needs no certificate", async (host) => {
  expect(await readListenPlace({ listen: `${host}:4096` })).toMatchObject({ port: 4096 });
});

test.each(["127.example.com", "127.1", "0.0.0.0", "[::]"])("%s needs a certificate", async (host) => {
  await expect(readListenPlace({ listen: `${host}:4096` })).rejects.toThrow("needs --tls-cert");
});

test("another name is reached with http only on this machine", async () => {
  const names = "LocalHost:8080,[::1]:8080,127.example.com,http://box.example";
  expect((await readListenPlace({ "host-name": names })).origins).toEqual([
    "http://localhost:8080",
    "http://[::1]:8080",
    "https://127.example.com",
    "http://box.example",
  ]);
});
