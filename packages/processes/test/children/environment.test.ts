import { expect, test } from "vitest";
import { childEnvironment } from "../../src/children/environment.ts";

const github = ["ghp", "abcdefghijklmnopqrstuvwxyz0123456789"].join("_");

test.each([
  ["PATH", "/bin", true],
  ["HOME", "/home/me", true],
  ["LC_TIME", "de_DE.UTF-8", true],
  ["CARGO_HOME", "/c", true],
  ["HTTPS_PROXY", "http://proxy:3128", true],
  ["HTTPS_PROXY", "http://me:word@proxy:3128", false],
  ["OPENAI_API_KEY", "x", false],
  ["GITHUB_TOKEN", "x", false],
  ["SSH_AUTH_SOCK", "/tmp/s", false],
  ["GIT_DIR", "/elsewhere", false],
  ["BASH_ENV", "/tmp/evil", false],
  ["NODE_OPTIONS", "--require=/tmp/evil", false],
  ["LD_PRELOAD", "/tmp/evil.so", false],
  ["GOFLAGS", github, false],
  ["SOMETHING", "x", false],
])("%s=%s is passed on: %s", (name, value, passed) => {
  expect(Object.hasOwn(childEnvironment({ [name]: value }), name)).toBe(passed);
});

test("passes named variables, and sets those that keep programs from asking", () => {
  const environment = childEnvironment({ MY_TOKEN: "x", EMPTY: undefined }, ["MY_TOKEN", "EMPTY"]);
  expect(environment).toMatchObject({ MY_TOKEN: "x", TERM: "dumb", GIT_TERMINAL_PROMPT: "0", PAGER: "cat" });
  expect(environment).not.toHaveProperty("EMPTY");
});

test("a known key is never passed, not even in a named variable", () => {
  const secrets = ["local-key-1234", "abc"];
  const source = { LANG: "local-key-1234", MY_TOKEN: "Bearer local-key-1234", CI: "abc", HOME: "/home/me" };
  const environment = childEnvironment(source, ["MY_TOKEN"], secrets);
  expect(environment).toMatchObject({ HOME: "/home/me", CI: "abc" });
  expect(environment).not.toHaveProperty("LANG");
  expect(environment).not.toHaveProperty("MY_TOKEN");
});

test("PATH entries that depend on the working directory are dropped", () => {
  expect(childEnvironment({ PATH: ".:/bin:node_modules/.bin::/usr/bin" })["PATH"]).toBe("/bin:/usr/bin");
});
