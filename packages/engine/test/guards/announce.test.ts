/** Texts that announce a step without a call for it. */
import { describe, expect, test } from "vitest";
import { announcesStep } from "../../src/guards/announce.ts";

describe("a text-only answer", () => {
  test.each([
    "",
    "  \n",
    "Let me read the file.",
    "Let me now read the file:",
    "I'll check the tests.",
    "I’ll check the tests.",
    "I will now create the file.",
    "Okay, let me look at it.",
    "Sure! I'll run the tests now.",
    "The bug is in a.ts. Now let me fix it.",
    "The bug is in a.ts.\n\nLet's search for its callers…",
    "First, I need to list the directory.",
    "I'm going to start by reading main.ts.",
    "- I'll update the README",
    "**Next, let me verify the change.**",
  ])("announces a step: %j", (text) => {
    expect(announcesStep(text)).toBe(true);
  });

  test.each([
    "Done.",
    "The file has three functions.",
    "Let me know if you need more.",
    "Let me explain: it is a parser.",
    "Should I run the tests?",
    "I'll run the tests once you confirm.",
    "I will read it if you'd like.",
    "Please provide the path. I'll read it then?",
    "I'll be here.",
    "I read the file. It is empty.",
    "Let me read the file. It says hello.",
    "Would you like me to go on? I'll check the tests, would you confirm",
    `Let me read ${"very ".repeat(100)}long.`,
  ])("announces none: %j", (text) => {
    expect(announcesStep(text)).toBe(false);
  });

  test("of any length is judged by its end", () => {
    expect(announcesStep(`${"word ".repeat(200_000)}\nLet me read it.`)).toBe(true);
    expect(announcesStep(" ".repeat(200_000))).toBe(true);
    expect(announcesStep("ok ".repeat(200_000))).toBe(false);
  });
});
