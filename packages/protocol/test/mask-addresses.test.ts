import { describe, expect, test } from "vitest";
import { addressSecrets, maskAddresses } from "../src/mask-addresses.ts";

const token = "q7Hd82mXc0Lw5Tz91Pbn";

describe("is masked:", () => {
  test.each([
    ["https://me:s3cr3t-Word@git.example/x.git", "https://me:[password hidden]@git.example/x.git"],
    ["origin\tssh://me:hunter2@host:22/x (push)", "origin\tssh://me:[password hidden]@host:22/x (push)"],
    [`https://${token}@git.example/x`, "https://[token hidden]@git.example/x"],
    [`https://${token}:x-oauth-basic@git.example`, "https://[token hidden]:x-oauth-basic@git.example"],
    [`https://oauth2:${token}@git.example`, "https://oauth2:[password hidden]@git.example"],
    ["https://:only-Passw0rt@h", "https://:[password hidden]@h"],
    ["https://me:p@ss-w0rt@host/a@b", "https://me:[password hidden]@host/a@b"],
    ["https://me:100%25-sure%40@h", "https://me:[password hidden]@h"],
    ["postgres://app:pa$$w0rd@db:5432/app", "postgres://app:[password hidden]@db:5432/app"],
    ["mongodb+srv://app:abc12,def@a.example", "mongodb+srv://app:[password hidden]@a.example"],
    [
      "git+https://me:abc12def@h and redis://:abc12def@h",
      "git+https://me:[password hidden]@h and redis://:[password hidden]@h",
    ],
    [
      String.raw`{"url":"https:\/\/me:abc12def@h\/x"}`,
      String.raw`{"url":"https:\/\/me:[password hidden]@h\/x"}`,
    ],
    [`https://h/x?a=1&access_token=${token}&b=2`, "https://h/x?a=1&access_token=[token hidden]&b=2"],
    [`wss://h/?token=${token}#x`, "wss://h/?token=[token hidden]#x"],
    ["extraheader = AUTHORIZATION: basic eDpxN0hkODI=", "extraheader = AUTHORIZATION: basic [token hidden]"],
    [
      `http.https://h/.extraheader=Authorization: Bearer ${token}`,
      "http.https://h/.extraheader=Authorization: Bearer [token hidden]",
    ],
  ])("%s", (text, masked) => {
    expect(maskAddresses(text)).toBe(masked);
    expect(maskAddresses(masked)).toBe(masked);
    expect(addressSecrets(text)).toHaveLength(1 + (text.match(/ and /g)?.length ?? 0));
  });
});

describe("stays (§ is written for $):", () => {
  test.each([
    "https://github.example/me/project-2024-with-a-long-name-12.git",
    "git@github.example:me/x.git",
    "ssh://git@github.example/me/x.git",
    "https://me@git.example/x",
    "https://first.last2024.example-name@git.example/x",
    "https://user:password@example.com",
    "https://me:§{PASSWORD}@h and https://§{USER}:§PASSWORD@h",
    "https://{user}:{password}@h, https://<user>:<password>@h, http://%s:%s@h",
    "`http://§{user}:§{pass}@§{host}:§{port}`",
    "http://localhost:3000@x",
    "docker://alpine:3.19.1@sha256:abcdef",
    "https://h/x?token=TOKEN&page_token=abc",
    "https://h/x?token=some-words-and-2024",
    "see http://h:8080/a?mail=me@h",
    "a://b, @, ://@",
    'url = "http://" + user + ":" + pass + "@" + host',
    "extraheader = X-Trace: 12345678901234567890a",
  ])("%s", (row) => {
    const text = row.replaceAll("§", "$");
    expect(maskAddresses(text)).toBe(text);
  });
});

test("a long text takes time that grows with its length", () => {
  for (const piece of ["a", "://", "a://b:", "a://@", "?token=", "x@"]) {
    const text = piece.repeat(1_000_000 / piece.length);
    expect(maskAddresses(text).length).toBeGreaterThan(0);
  }
  for (const [start, piece] of [
    ["extraheader", " "],
    ["extraheader=authorization:", " "],
    ["extraheader=authorization: ", "a"],
  ] as const) {
    const text = start + piece.repeat(1_000_000);
    expect(maskAddresses(text)).toBe(text);
  }
});
