import { expect, test } from "vitest";
import { readGitValues, readValues } from "../../src/secrets/read-values.ts";

const read = (text: string) => readValues(text).map(({ name, value }) => `${name}=${value}`);

test.each([
  ["API_KEY=abc123def456", ["API_KEY=abc123def456"]],
  ["export API_KEY='abc123 def#456' # mine", ["API_KEY=abc123 def#456"]],
  ["API_KEY=abc123def456 # mine\r\nPORT=3000\r\n", ["API_KEY=abc123def456"]],
  ["# API_KEY=abc123def456", []],
  [
    String.raw`API_KEY="abc\"123def"`,
    [String.raw`API_KEY=abc\"123def`, `API_KEY=abc"123def`, String.raw`API_KEY=abc\\\"123def`],
  ],
  [String.raw`PRIVATE="line-one-1\nline-two-2"`, ["PRIVATE=line-one-1", "PRIVATE=line-two-2"]],
  ["  - password: 'abc123def456'", ["password=abc123def456"]],
  ["//host.example/:_authToken=abc123def456", ["_authToken=abc123def456"]],
  ["registry=https://host.example/", []],
  ["machine h login me password abc123def456", ["password=abc123def456"]],
  ["host:5432:db:me:abc123DEF456ghi7", ["host=abc123DEF456ghi7"]],
  ["https://me:abc123%21def@git.example", ["password=abc123%21def", "password=abc123!def"]],
  ['{"auths":{"h":{"auth":"abc123def456"}},"detach":"ctrl-p-and-q"}', ["auth=abc123def456"]],
  ["<password>abc123def456</password>", ["password=abc123def456"]],
  [
    "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\nAbc/9z==\n-----END PRIVATE KEY-----\n",
    ["PRIVATE KEY=MIIEvQIBADANBg", "PRIVATE KEY=Abc/9z=="],
  ],
  ["-----BEGIN CERTIFICATE-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\n-----END CERTIFICATE-----\n", []],
  [
    `TOKEN=${"aB3".repeat(400)}`,
    [`TOKEN=${"aB3".repeat(400).slice(0, 1000)}`, `TOKEN=${"aB3".repeat(400).slice(1000)}`],
  ],
])("%s", (text, values) => expect(read(text)).toEqual(values));

test("a long value takes no longer than its length", () => {
  expect(read(`NAME=${"1.".repeat(499)}&`)).toHaveLength(1);
  expect(read(`NAME=${"-".repeat(998)}&`)).toHaveLength(1);
});

test("of a configuration of git, only what addresses and headers have of secrets", () => {
  const text = `[remote "origin"]
	url = https://me:abc%21def-123@git.example/me/project-2024-with-a-long-name
	pushurl = https://git.example/another-long-name-1234567890
[http "https://git.example/"]
	extraheader = AUTHORIZATION: basic bWU6YWJjMTIz
`;
  const values = readGitValues(text).map(({ value }) => value);
  expect(values).toEqual(["abc%21def-123", "abc!def-123", "bWU6YWJjMTIz"]);
});
