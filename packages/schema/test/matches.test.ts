import { expect, test } from "vitest";
import { matches } from "../src/matches.ts";

const long = "a".repeat(100_000);

test.each([
  ["^v\\d+", "v12", true],
  ["^v\\d+", "version", false],
  ["^[a-z]+$", long, true],
  ["b", long, false],
  ["\\.ts$", `${long}.ts`, true],
  ["^[^@]+@[^@]+\\.[^@]+$", "somebody@mail.example", true],
  [
    "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
    "123e4567-e89b-12d3-a456-426614174000",
    true,
  ],
  ["^(https?|ftp)://\\S+$", `https://${long}`, true],
  ["^(?:sun|moon|star)$", "moon", true],
  ["^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2})?Z?)?$", "2026-11-27T10:30Z", true],
  ["^(ab)+$", "ababab", true],
  ["^[(+]+$", "((+", true],
  ["\\p{Lu}", "aB", true],
  ["^.{1,64}$", "tea", true],
  ["^[a-z]+(-[a-z]+)*$", "accept-language", true],
  ["^[a-z]+(-[a-z]+)*$", "accept-language-", false],
  ["^([a-z0-9]+-)*[a-z0-9]+$", `${"some-key-".repeat(20)}1`, true],
  ["^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$", "MAX_CONNECTIONS_PER_HOST", true],
  ["^[a-zA-Z]+(?:[_-][a-zA-Z]+)*$", "X-Forwarded_For-Header", true],
  ["^(?:[a-zA-Z_]\\w*\\.)*[a-zA-Z_]+$", "package.module.name", true],
  ["^[\\w.]+@([\\w-]+\\.)+\\w{2,4}$", "somebody@mail.example.org", true],
  ["^(['\"]).*\\1$", "'it is'", true],
] as const)("%s is run", (pattern, text, expected) => {
  expect(matches(pattern, text)).toBe(expected);
});

test.each([
  ["(", "a(b"],
  ["(a+)+$", long],
  ["^(a+)+$", "a".repeat(33)],
  ["^(a|a)*$", "a".repeat(40)],
  ["^((a|b)|(a|b))*c", "a".repeat(30)],
  ["^(a?){30}a{30}$", "a".repeat(30)],
  ["^(a?){1000}b", "aaaa"],
  [`^${"a?".repeat(40)}b`, "a".repeat(40)],
  [`^${"a*b*".repeat(6)}c$`, "ab".repeat(100)],
  ["a*a*a*b", long],
  ["^(?:a+){2,}$", "a".repeat(30)],
  ["^(a*){8}$", `${"a".repeat(30)}!`],
  ["^(a*){1,8}$", `${"a".repeat(60)}!`],
  ["^(a*){8}$", `${"a".repeat(140)}!`],
  ["^(?=(a+)+$)b", "a".repeat(30)],
  ["^(?<x>a+)+$", "a".repeat(30)],
  ["^([^b]|[^c])+$", "a".repeat(30)],
  ["^[)]|([(]|[(])+$", "(".repeat(30)],
  ["^((()){900}){900}){900}", "a"],
  ["^a*a{4900}b", "a".repeat(990_000)],
  ["a{4900}b", "a".repeat(990_000)],
  ["^(a*)\\1b", "a".repeat(20_000)],
  ["^(?<x>a*)\\k<x>b", "a".repeat(20_000)],
  ["^(-[a-z-]+)*$", "-".repeat(40)],
  ["^([a-z-]+-)*$", "-".repeat(40)],
  ["^(-[a-z]+|-b)*$", "-b".repeat(40)],
  ["^(-[a-z]*b*)*c", "-bb".repeat(40)],
  ["^(-*-)*c", "-".repeat(40)],
  ["^(-.*)*a", "-".repeat(40)],
  ["^(-\\W*)*a", "-".repeat(40)],
  ["^(-(a)\\1*)*$", "-a".repeat(40)],
  ["^((-a+)*)*b", "-a".repeat(40)],
  ["^([é-ü]+[é-ü])*b", "é".repeat(40)],
  ["^([^a]a*)*b", "-".repeat(40)],
  [`^${"a".repeat(6_000)}`, long],
] as const)("%s is not run", (pattern, text) => {
  expect(matches(pattern, text)).toBeUndefined();
});
