import { describe, expect, it } from "vitest";
import { bareUrl, maskSecrets } from "../../src/http/secrets.ts";

describe("maskSecrets", () => {
  it.each([
    ["key abc123def. again abc123def", ["abc123def"], "key [key hidden]. again [key hidden]"],
    ["url ?k=a%2Fb%2Bc1", ["a/b+c1"], "url ?k=[key hidden]"],
    ['json "a\\"b\\"cde"', ['a"b"cde'], 'json "[key hidden]"'],
    ["no key here", ["abc123def"], "no key here"],
    ["a short x stays", ["x"], "a short x stays"],
  ])("takes keys out of %j", (text, secrets, masked) => {
    expect(maskSecrets(text, secrets)).toBe(masked);
  });
});

describe("bareUrl", () => {
  it.each([
    ["http://user:pass@host:1/v1?key=a#b", "http://host:1/v1"],
    ["https://api.x.ai/v1", "https://api.x.ai/v1"],
    ["http://user:pass@host:1", "http://host:1"],
    ["http://user:p@ss@ho st/v1?key=a", "http://ho st/v1"],
    ["user:pass@host/v1", "host/v1"],
    ["localhost:80", "localhost:80"],
    ["no url", "no url"],
  ])("makes of %j", (url, bare) => {
    expect(bareUrl(url)).toBe(bare);
  });
});
