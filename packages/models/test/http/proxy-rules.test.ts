import { describe, expect, test } from "vitest";
import { namesProxy, proxyFor } from "../../src/http/proxy/proxy-rules.ts";

const addressOf = (url: string, environment: Record<string, string>) =>
  proxyFor(new URL(url), environment)?.address;

describe("the variable that names the proxy", () => {
  const one = "http://one:3128";
  const two = "http://two:3128";
  test.each([
    ["https://llm.example/v1", { HTTPS_PROXY: one }, one],
    ["https://llm.example/v1", { https_proxy: one, HTTPS_PROXY: two }, one],
    ["https://llm.example/v1", { https_proxy: "", HTTPS_PROXY: two }, two],
    ["https://llm.example/v1", { https_proxy: "  ", ALL_PROXY: two }, two],
    ["https://llm.example/v1", { HTTP_PROXY: one }, undefined],
    ["http://llm.example/v1", { HTTP_PROXY: one, HTTPS_PROXY: two }, one],
    ["http://llm.example/v1", { http_proxy: one, HTTP_PROXY: two }, one],
    ["http://llm.example/v1", { HTTPS_PROXY: two }, undefined],
    ["http://llm.example/v1", { ALL_PROXY: one, HTTP_PROXY: two }, two],
    ["https://llm.example/v1", { all_proxy: one, ALL_PROXY: two }, one],
    ["wss://llm.example/ws", { HTTPS_PROXY: one }, one],
    ["ws://llm.example/ws", { HTTP_PROXY: one, HTTPS_PROXY: two }, one],
    ["https://llm.example/v1", {}, undefined],
  ])("%s with %j goes through %s", (url, environment, expected) => {
    expect(addressOf(url, environment)).toBe(expected);
  });

  test.each([
    [{}, false],
    [{ NO_PROXY: "*" }, false],
    [{ HTTPS_PROXY: "" }, false],
    [{ all_proxy: "http://one" }, true],
    [{ HTTP_PROXY: "one:1" }, true],
  ])("%j names a proxy: %s", (environment, expected) => {
    expect(namesProxy(environment)).toBe(expected);
  });
});

describe("the address of the proxy", () => {
  test.each([
    ["http://proxy.example:3128", "http", "proxy.example", 3128, undefined],
    ["proxy.example:8080", "http", "proxy.example", 8080, undefined],
    ["proxy.example", "http", "proxy.example", 80, undefined],
    ["HTTP://Proxy.Example/", "http", "proxy.example", 80, undefined],
    ["https://proxy.example", "https", "proxy.example", 443, undefined],
    ["socks5://Proxy.example", "socks5", "proxy.example", 1080, undefined],
    ["socks5h://10.1.1.1:9", "socks5", "10.1.1.1", 9, undefined],
    ["http://[2001:db8::1]:3128", "http", "2001:db8::1", 3128, undefined],
    ["http://me:p%40ss%3A@p:1", "http", "p", 1, { name: "me", password: "p@ss:" }],
    ["me:word@p:1", "http", "p", 1, { name: "me", password: "word" }],
    ["http://only@p:1", "http", "p", 1, { name: "only", password: "" }],
    ["http://a:50%@p:1", "http", "p", 1, { name: "a", password: "50%" }],
  ])("%s", (value, kind, host, port, user) => {
    const found = proxyFor(new URL("https://llm.example"), { HTTPS_PROXY: value });
    expect(found).toMatchObject({ kind, host, port, variable: "HTTPS_PROXY" });
    expect(found?.user).toEqual(user);
    expect(found?.address).not.toMatch(/@|word|p%40ss/);
  });

  test.each(["ftp://p:1", "http://", "http://p:99999", "socks4://p:1", "://", "http://a b"])(
    "%s is told as one that cannot be used, without its text",
    (value) => {
      const read = () => proxyFor(new URL("https://llm.example"), { https_proxy: value });
      expect(read).toThrow("https_proxy names no proxy that can be used: expected an address like");
    },
  );
});

describe("a host without a proxy", () => {
  const environment = (list?: string) => ({
    ALL_PROXY: "http://p:1",
    ...(list === undefined ? {} : { NO_PROXY: list }),
  });
  test.each([
    "http://localhost:11434",
    "http://LOCALHOST",
    "http://api.localhost",
    "http://127.0.0.1:8080",
    "http://127.9.9.9",
    "http://[::1]:8080",
    "http://0.0.0.0:8080",
    "https://10.0.0.7",
    "http://192.168.1.20:1234",
    "http://172.20.0.2",
    "http://100.64.0.9",
    "http://169.254.169.254",
    "http://[fd00::5]:8080",
    "http://[fe80::1]:8080",
  ])("%s belongs to this machine or its networks", (url) => {
    expect(addressOf(url, environment())).toBeUndefined();
  });

  test.each([
    ["https://llm.example", "*", true],
    ["https://llm.example", "other.example, *", true],
    ["https://llm.example", "llm.example", true],
    ["https://llm.example", "LLM.Example", true],
    ["https://llm.example.", "llm.example", true],
    ["https://llm.example", "a.example b.example llm.example", true],
    ["https://llm.example", "a.example,,llm.example ,", true],
    ["https://sub.llm.example", "llm.example", true],
    ["https://sub.llm.example", ".llm.example", true],
    ["https://llm.example", ".llm.example", true],
    ["https://sub.llm.example", "*.llm.example", true],
    ["https://llm.example", "example", true],
    ["https://notllm.example", "llm.example", false],
    ["https://llm.example.net", "llm.example", false],
    ["https://llm.example", "sub.llm.example", false],
    ["https://llm.example", "llm.exampl", false],
    ["https://llm.example", "llm.example:443", true],
    ["https://llm.example", "llm.example:8443", false],
    ["https://llm.example:8443", "llm.example:8443", true],
    ["http://llm.example", ".llm.example:80", true],
    ["https://8.8.4.4", "8.8.4.4", true],
    ["https://8.8.4.4", "8.8.4.4:444", false],
    ["https://8.8.4.4", "8.8.0.0/16", true],
    ["https://8.8.4.4", "8.8.8.0/24", false],
    ["https://8.8.4.4", "8.8.4.4/33", false],
    ["https://8.8.4.4", "4.4", false],
    ["https://[2606:4700::1111]", "2606:4700::1111", true],
    ["https://[2606:4700::1111]", "[2606:4700::1111]", true],
    ["https://[2606:4700::1111]:9", "[2606:4700::1111]:9", true],
    ["https://[2606:4700::1111]:8", "[2606:4700::1111]:9", false],
    ["https://[2606:4700::1111]", "2606:4700::/32", true],
    ["https://[2606:4700::1111]", "2001:4860::/32", false],
    ["https://llm.example", "8.8.0.0/16", false],
    ["https://llm.example", ".", false],
    ["https://llm.example", "", false],
  ])("%s with NO_PROXY=%s: %s", (url, list, isDirect) => {
    expect(addressOf(url, environment(list)) === undefined).toBe(isDirect);
  });

  test("no_proxy comes before NO_PROXY", () => {
    const lists = { ...environment("llm.example"), no_proxy: "other.example" };
    expect(addressOf("https://llm.example", lists)).toBe("http://p:1");
    expect(addressOf("https://other.example", lists)).toBeUndefined();
  });
});
