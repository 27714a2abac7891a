/** Checks what the permission prompt of the line chat shows and which answers it accepts. */
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
  grade: "reads",
  rule: "risk:medium",
  reason: "a medium risk: asked each time",
  covers: "every read_file call",
  concerns: [],
};

/** `followed` has an entry for each wait for quiet, beginning with the one before the first prompt: whether keys came. */
async function ask(asked: PermissionRequest, lines: (string | undefined)[], followed: boolean[] = []) {
  const written: string[] = [];
  const output = createTextOutput({ write: (text) => written.push(text) });
  const given = await askPermission(asked, output, {
    next: async () => lines.shift(),
    settle: async () => followed.shift() ?? false,
  });
  return { ...given, shown: written.join(""), left: lines.length };
}

describe("permissionText", () => {
  test("shows tool, arguments, risk, reason, what an answer covers, and the four answers", () => {
    expect(permissionText(request)).toBe(`⚠️  Permission Request

Tool: read_file
Arguments: {"path": "README.md", "offset": 3, "deep": {"list": [1, true, null]}}
Risk: changes nothing
a medium risk: asked each time
[2] and [3] cover, in this workspace: every read_file call

[1] Allow Once  [2] Session  [3] Remember  [4] Deny
`);
  });

  test("says in full how a call was found that was read from text", () => {
    expect(permissionText({ ...request, format: "hermes" }, true)).toContain(
      "\nRead from the model's text, format hermes\n",
    );
    expect(permissionText({ ...request, format: "native" }, true)).not.toMatch(/native/);
  });

  test("hides nothing: controls, bidi and invisible characters stand as escapes", () => {
    const command = "ls\u0000 \u202e# \u200b\r\u001b[1A";
    const text = permissionText({
      ...request,
      arguments: { command },
      preview: "+a\u001b[2Jb\r\n+\u202ec",
    });
    expect(text).toContain('{"command": "ls\\u0000 \\u202e# \\u200b\\r\\u001b[1A"}');
    expect(text).toContain("+a\\x1b[2Jb\\r\n+\\u202ec");
  });

  test("cuts what is long in the middle and says how to see all", () => {
    const command = `echo ${"word ".repeat(1_000)}; rm -rf important`;
    const short = permissionText({ ...request, arguments: { command } });
    expect(short).toContain("; rm -rf important");
    expect(short).toMatch(/…\d+ more characters…/);
    expect(short).toContain("(v) shows all");
    const whole = permissionText({ ...request, arguments: { command } }, true);
    expect(whole).toContain(command);
    expect(whole).not.toContain("(v) shows all");
  });

  const disguises: [string, string, string][] = [
    ["a Cyrillic letter in a Latin word", "cat p\u0430sswd", "cat p\u0430⟨U+0430⟩sswd"],
    ["a Greek letter in a name", "./t\u03bfol.sh", "./t\u03bf⟨U+03BF⟩ol.sh"],
    ["a full-width letter", "\uff52m -rf x", "\uff52⟨U+FF52⟩m -rf x"],
    ["blanks that push the rest out of sight", `ls${" ".repeat(400)}; rm x`, "ls⟨400 blanks⟩; rm x"],
    ["a flood of marks", `x${"\u0301".repeat(50)}`, "x\u0301\u0301\u0301⟨47 more marks⟩"],
    ["a tag character", "ls\u{e0041}", "ls\\u{e0041}"],
  ];
  test.each(disguises)("marks %s", (_what, command, shown) => {
    expect(permissionText({ ...request, arguments: { command } })).toContain(shown);
  });

  test.each(["кот файл", "μετά", "naïve café", "日本語のファイル", "a b  c", "Ünïcödé"])(
    "leaves %s as it is",
    (text) => {
      expect(permissionText({ ...request, arguments: { text } })).toContain(`{"text": "${text}"}`);
    },
  );

  test("stays fast for a megabyte of one word", () => {
    const text = `${"a".repeat(500_000)}\u0430${"b".repeat(500_000)}`;
    expect(permissionText({ ...request, arguments: { text } }, true)).toContain("\u0430⟨U+0430⟩");
  });

  test("shows concerns, the target of a link, the sandbox of a command and the number of waiting calls", () => {
    const text = permissionText({
      ...request,
      toolName: "bash",
      grade: "lasting",
      answers: ["once", "deny"],
      arguments: { path: "notes.txt" },
      concerns: [{ id: "protected:.git", reason: ".git/config is obeyed by git" }],
      reason: ".git/config is obeyed by git",
      rule: "built-in:protected:.git",
      paths: [
        { path: "notes.txt", access: "write" },
        { path: ".git/config", access: "write" },
      ],
      sandbox: "sandbox (bubblewrap): no network",
      covers: "this one call: built-in:protected:.git asks each time",
      waiting: 2,
    });
    expect(text).toContain(`Risk: cannot be undone
Careful: .git/config is obeyed by git
in the sandbox · touches write .git/config · 2 more calls wait
An answer covers this one call: built-in:protected:.git asks each time
`);
  });

  test("shows every path that the call touches", () => {
    const paths = Array.from({ length: 12 }, (_, index) => ({ path: `p${index}`, access: "write" as const }));
    expect(permissionText({ ...request, paths })).toContain("touches write p0, write p1, write p2, 9 more\n");
    expect(permissionText({ ...request, paths })).toContain("(v) shows all");
    expect(permissionText({ ...request, paths }, true)).toContain("write p10, write p11\n");
  });

  test.each([
    ["lasting", "HIGH: cannot be undone"],
    ["leaves", "HIGH: leaves this machine"],
  ] as const)("warns of a high risk that is %s, also when a rule gives another reason", (grade, words) => {
    const high: PermissionRequest = {
      ...request,
      risk: "high",
      grade,
      rule: "risk:high",
      reason: "it runs x",
    };
    expect(permissionText(high)).toContain(`Risk: ${words}\nCareful: it runs x\n[2]`);
    const ruled = permissionText({ ...high, rule: "mine", reason: "I want to see it" });
    expect(ruled).toMatch(/Careful: it can change or run things.*\nasked by rule mine, I want to see it\n/);
  });

  test.each(["undoable", "kept", "reads"] as const)("does not warn of a high risk that is %s", (grade) => {
    expect(permissionText({ ...request, risk: "high", grade })).not.toMatch(/HIGH|Careful/);
  });

  test("shows the beginning of a long diff", () => {
    const preview = Array.from({ length: 100 }, (_, line) => `+line ${line}`).join("\n");
    const text = permissionText({ ...request, preview });
    expect(text).toContain("(v) shows all");
    expect(text).toContain("+line 39\n… 60 more lines\n");
    expect(permissionText({ ...request, preview }, true)).toContain("+line 99");
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

  test("words after a denial are a note to the model; an answer that allows with words after it is refused", async () => {
    expect(await ask(request, ["4 use  the other file"])).toMatchObject({
      answer: "deny",
      note: "use  the other file",
    });
    expect(await ask(request, ["1 and then?", "no thanks"])).toMatchObject({ answer: "deny", left: 0 });
    expect((await ask(request, ["deny"])).shown).toContain("Type 1 (once)");
  });

  const objections: [string, string | undefined][] = [
    ["no", undefined],
    ["No.", undefined],
    ["no, do not touch that file", "no, do not touch that file"],
    ["no, 1 file only", "no, 1 file only"],
    ["NOT that one", "NOT that one"],
    ["don't", undefined],
    ["don’t do it", "don’t do it"],
    ["do not do it", "do not do it"],
    ["never", undefined],
    ["stop it", "stop it"],
    ["4 use the other file", "use the other file"],
    ["4. use the other file", "use the other file"],
    ["4) 1", "1"],
    ["n, use another", "use another"],
    ["d 1 2 3", "1 2 3"],
  ];
  test.each(objections)("%j is a denial", async (line, note) => {
    const { answer, note: given, left } = await ask(request, [line]);
    expect({ answer, note: given, left }).toEqual({ answer: "deny", note, left: 0 });
  });

  const unclear = ["1 but not that", "1.", "1,", "1 1", "y no", "yes", "a file", "session", "s no", "2 3"];
  test.each([...unclear, "3 r", "１", "none of it is wrong", "note it", "allow once", "ok"])(
    "%j is not an answer, and the question is asked again",
    async (line) => {
      expect(await ask(request, [line, "2"])).toMatchObject({ answer: "session", left: 0 });
      expect((await ask(request, [line])).shown).toContain("Type 1 (once)");
    },
  );

  test("an answer that allows does not count when more is typed right after it", async () => {
    for (const allows of ["1", "2", "3", "y"]) {
      const given = await ask(request, [allows, "4"], [false, true, false]);
      expect(given).toMatchObject({ answer: "deny", left: 0 });
      expect(given.shown).toContain("More was typed right after the answer");
    }
    expect(await ask(request, ["4", "1"], [false, true])).toMatchObject({ answer: "deny", left: 1 });
  });

  test("5 and 6 have the wider scope, where it is offered", async () => {
    const wide = { ...request, wider: { covers: "any x", begins: "npm test" } };
    expect(await ask(wide, ["5"])).toMatchObject({ answer: "session", wider: true, left: 0 });
    expect(await ask(wide, ["6"])).toMatchObject({ answer: "remember", wider: true, left: 0 });
    expect(await ask(wide, ["5 but not that", "4"])).toMatchObject({ answer: "deny", left: 0 });
    expect((await ask(wide, ["4"])).shown).toContain("[5] Session: any npm test ...;");
    expect(await ask(request, ["5", "4"])).toMatchObject({ answer: "deny", left: 0 });
  });

  test("v shows the question in full", async () => {
    const long = { ...request, arguments: { text: "x".repeat(2_000) } };
    const { shown } = await ask(long, ["v", "4"]);
    expect(shown).toContain("x".repeat(2_000));
  });
});

describe("a question whose tool makes offers", () => {
  const offered: PermissionRequest = {
    ...request,
    answers: ["once", "deny"],
    offers: [
      { id: "network", words: "Once, with the network", short: "Network", detail: "any host" },
      {
        id: "outside",
        words: "Once, outside of the sandbox",
        short: "Outside",
        detail: "all that you can do",
        warns: true,
      },
    ],
  };

  test.each<readonly [(string | undefined)[], object]>([
    [["1"], { answer: "once", offer: "network" }],
    [["2"], { answer: "once", offer: "outside" }],
    [["4"], { answer: "deny" }],
    [["4 use the cache"], { answer: "deny", note: "use the cache" }],
    [["3", "5", "a", "y", "s", "r", "n"], { answer: "deny" }],
    [["v", "1"], { answer: "once", offer: "network" }],
    [[undefined], { answer: "deny" }],
  ])("%j is %j", async (lines, given) => {
    const { shown, left, ...answer } = await ask(offered, [...lines]);
    expect({ ...answer, left }).toEqual({ ...given, left: 0 });
    expect(shown).toContain("[1] Once, with the network\n");
  });

  test("says what each offer allows, with a warning at the choice that frees the call", () => {
    const text = permissionText(offered);
    expect(text).toContain("Once, with the network: any host\n");
    expect(text).toContain("[2] Once, outside of the sandbox (careful: all that you can do)\n[4] Deny");
    expect(text).not.toContain("Remember");
  });
});
