/** Which calls the rules of `--allow` cover, and what is said about a rule that cannot be read. */
import { describe, expect, test } from "vitest";
import { runRules } from "../../../src/permission/run-rules/run-rules.ts";

describe("a command needs no quotes if none of its words begins with two hyphens", () => {
  const quoted = (command: string) => runRules([`bash --command '${command}'`]);
  test.each([
    ["bash --command npm test", "npm test"],
    ["bash --command make", "make"],
    ["bash --command git log -5 --path src/**", "git log -5"],
  ])("%s", (text, command) => {
    const [rule] = runRules([text]);
    expect(rule?.command).toEqual(quoted(command)[0]?.command);
  });
});

test.each([
  ["bash --command", /--command needs a value/],
  ["bash --command ''", /--command needs a value/],
  ["bash --command npm run 'a b'", /put quotes around the whole command/],
  ["bash --command npm test --watch", /"--watch" is not an option of a rule/],
  ["bash --command a --command b", /--command is given twice/],
  ["write_file --path a b", /"b" is not an option of a rule/],
])("%s is refused", (text, message) => {
  expect(() => runRules([text])).toThrow(message);
});
