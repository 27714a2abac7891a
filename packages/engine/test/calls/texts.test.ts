import { expect, test } from "vitest";
import { ruleDenialText } from "../../src/calls/texts.ts";

test.each(["the path leads out of the workspace", 'the path is empty; "." is the workspace itself.'])(
  "a denial ends its reason with one full stop: %s",
  (reason) => {
    const { message: text } = ruleDenialText({ decision: "deny", rule: "r", reason });
    expect(text).toContain(`denied by the rule r: ${reason.replace(/\.$/, "")}. Do not try`);
    expect(text).not.toContain("..");
  },
);
