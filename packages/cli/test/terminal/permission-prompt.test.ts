/** The permission prompt: what it shows and which answers it takes. */
import type { PermissionRequest } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { createTextOutput } from "../../src/terminal/output.ts";
import { askPermission } from "../../src/terminal/permission-prompt.ts";
import { permissionText } from "../../src/terminal/permission-text.ts";

const request: PermissionRequest = {
  requestId: "r",
  callId: "c",
  toolName: "read_file",
  arguments: { path: "README.md", offset: 3, deep: { list: [1, true, null] } },
  argumentsHash: "00",
  risk: "medium",
  rule: "risk:medium",
  reason: "a medium risk: asked each time",
  covers: "every read_file call in this workspace",
  concerns: [],
};

async function ask(asked: PermissionRequest, lines: (string | undefined)[]) {
  const written: string[] = [];
  const output = createTextOutput({ write: (text) => written.push(text) });
  const answer = await askPermission(asked, output, () => Promise.resolve(lines.shift()));
  return { answer, shown: written.join(""), left: lines.length };
}

describe("permissionText", () => {
  test("shows tool, arguments, risk, reason, what an answer covers, and the four answers", () => {
    expect(permissionText(request).text).toBe(`⚠️  Permission Request

Tool: read_file
Arguments: {"path": "README.md", "offset": 3, "deep": {"list": [1, true, null]}}
Risk: MEDIUM
Reason: a medium risk: asked each time
[2] and [3] cover: every read_file call in this workspace

[1] Allow Once  [2] Session  [3] Remember  [4] Deny
`);
  });

  test("hides nothing: controls, bidi and invisible characters stand as escapes", () => {
    const command = "ls\u0000 \u202e# \u200b\r\u001b[1A";
    const { text } = permissionText({
      ...request,
      arguments: { command },
      preview: "+a\u001b[2Jb\r\n+\u202ec",
    });
    expect(text).toContain('{"command": "ls\\u0000 \\u202e# \\u200b\\r\\u001b[1A"}');
    expect(text).toContain("+a\\x1b[2Jb\\r\n+\\u202ec");
  });

  test("cuts what is long in the middle and says how to see all", () => {
    const command = `ls ${" ".repeat(5_000)}; rm -rf important`;
    const short = permissionText({ ...request, arguments: { command } });
    expect(short.cut).toBe(true);
    expect(short.text).toContain("; rm -rf important");
    expect(short.text).toMatch(/…\d+ more characters…/);
    expect(short.text).toContain("(v) shows all");
    const whole = permissionText({ ...request, arguments: { command } }, true);
    expect(whole).toMatchObject({ cut: false, text: expect.stringContaining(command) });
  });

  test("warns of a high risk, in its reason or beside the reason of a rule", () => {
    const high: PermissionRequest = { ...request, risk: "high", rule: "risk:high", reason: "a HIGH risk" };
    expect(permissionText(high).text).toContain("Risk: HIGH\nReason: a HIGH risk\n[2]");
    const ruled = permissionText({ ...high, rule: "mine", reason: "I want to see it" });
    expect(ruled.text).toContain("Reason: I want to see it\nWarning: it can change or run things");
  });

  test("shows the beginning of a long diff", () => {
    const preview = Array.from({ length: 100 }, (_, line) => `+line ${line}`).join("\n");
    const { text, cut } = permissionText({ ...request, preview });
    expect(cut).toBe(true);
    expect(text).toContain("+line 39\n… 60 more lines\n");
    expect(permissionText({ ...request, preview }, true).text).toContain("+line 99");
  });
});

describe("ZodoLlama: the permission prompt asks with four answers", () => {
  const answers: [(string | undefined)[], string][] = [
    [["1"], "once"],
    [["a"], "once"],
    [["y"], "once"],
    [["2"], "session"],
    [[" S "], "session"],
    [["3"], "remember"],
    [["r"], "remember"],
    [["4"], "deny"],
    [["d"], "deny"],
    [["n"], "deny"],
    [["", "what?", "v", "constructor", "2"], "session"],
    [["5", undefined], "deny"],
    [[undefined], "deny"],
  ];
  test.each(answers)("%j is %s", async (lines, answer) => {
    expect(await ask(request, [...lines])).toMatchObject({ answer, left: 0 });
  });

  test("v shows all of it", async () => {
    const long = { ...request, arguments: { text: "x".repeat(2_000) } };
    const { shown } = await ask(long, ["v", "4"]);
    expect(shown).toContain("x".repeat(2_000));
  });
});
