/** Checks that known keys, and parts of them at the beginning or end of a line, are masked. */
import { describe, expect, test } from "vitest";
import { forgetSecrets, knownSecrets, maskParts } from "../../src/config/secrets.ts";

const key = "sk-wire-4f9Qz1LmN8vB2xKc7Rt0YpWd";

describe("maskParts", () => {
  const texts: [string, string, string][] = [
    ["the beginning of a key at the end of a text", `x ${key.slice(0, 20)}`, "x [part of a key hidden]"],
    ["the beginning of a key at the end of a line", `${key.slice(0, 14)}\nx`, "[part of a key hidden]\nx"],
    ["the end of a key at the start of a text", `${key.slice(-20)} x`, "[part of a key hidden] x"],
    [
      "both halves",
      `a ${key.slice(0, 16)}\n${key.slice(16)} b`,
      "a [part of a key hidden]\n[part of a key hidden] b",
    ],
    ["one part again and again", `${key.slice(0, 15)}\n`.repeat(2), "[part of a key hidden]\n".repeat(2)],
    ["eleven characters", key.slice(0, 11), key.slice(0, 11)],
    ["a part inside a line", `${key.slice(0, 20)} x`, `${key.slice(0, 20)} x`],
    ["another key of the same kind", "sk-wire-4f00000000000000", "sk-wire-4f00000000000000"],
  ];
  test.each(texts)("%s", (_what, text, masked) => {
    expect(maskParts(text, [key])).toBe(masked);
  });

  test("words that begin a password stay", () => {
    expect(maskParts("the localharness-test", ["localharness-test-99"])).toBe("the localharness-test");
  });
});

test("keys of providers, of the key file and of variables named like secrets are known, longest first", async () => {
  const environment = {
    LOCALHARNESS_API_KEY: key,
    MY_TOKEN: "token-token-1",
    SHORT_TOKEN: "abc",
    HOME: "/home/someone",
  };
  const secrets = await knownSecrets(environment, { xai: "xai-key-of-the-file" });
  expect(secrets.values).toEqual([key, "xai-key-of-the-file", "token-token-1"]);
  expect(secrets.mask(`a ${key} b token-token-1 ${key.slice(0, 20)}`)).toBe(
    "a [key hidden] b [key hidden] [part of a key hidden]",
  );
});

test("an environment forgets what holds a secret, and nothing that only resembles one", async () => {
  const environment: NodeJS.ProcessEnv = {
    LOCALHARNESS_API_KEY: key,
    CC: `x ${key}`,
    DB_PASSWORD: "postgres",
    PATH: "/usr/lib/postgresql/bin:/usr/bin",
  };
  forgetSecrets(environment, await knownSecrets(environment, {}));
  expect(environment).toEqual({ PATH: "/usr/lib/postgresql/bin:/usr/bin" });
});

test("passwords of addresses are masked, but are no known keys", async () => {
  const { mask, holds } = await knownSecrets({ WORK_TOKEN: key }, {});
  const text = "origin https://me:s3cr3t-Word@git.example/x.git (fetch)";
  expect(mask(text)).toBe("origin https://me:[password hidden]@git.example/x.git (fetch)");
  expect(holds(text)).toBe(false);
  expect(holds(`https://me:${key}@git.example`)).toBe(true);
  expect(mask(`https://me:${key}@git.example`)).toBe("https://me:[key hidden]@git.example");
});
