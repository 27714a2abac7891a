/** Checks the terminal's title and the notifications: when they come, in which sequence, and that their text is clean. */
import { emptyView, type PermissionRequest, type ServerQuestion, type View } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { type AttentionSettings, createAttention } from "../../src/attention/attention.ts";
import { type NotifyKind, notification, notifyKind } from "../../src/attention/notification.ts";

function watch(settings: AttentionSettings = { notify: "osc9" }) {
  const titles: string[] = [];
  const told: string[] = [];
  const terminal = {
    setTitle: (title: string) => void titles.push(title),
    notify: (sequence: string) => void told.push(sequence),
  };
  return { attention: createAttention(settings, terminal, {}), titles, told };
}

const said = { role: "user", content: "Make tea", from: "person" } as const;
const idle: View = { ...emptyView, messages: [said] };
const running: View = { ...idle, turn: { id: "turn-1", running: true, iteration: 1 } };
const ended: View = { ...idle, lastEnd: { type: "turn-end", reason: "done", denied: 0 } };
const request = { requestId: "r1", toolName: "bash" } as PermissionRequest;
const asking: View = { ...running, permission: request };
const question: ServerQuestion = {
  questionId: "q1",
  server: "kettle",
  message: "How hot?",
  asks: { kind: "form", fields: [] },
};
const asked: View = { ...running, question };

describe("notifications", () => {
  test("come when a question waits and when a turn ends, once each, while another window has the focus", () => {
    const { attention, told } = watch();
    for (const view of [running, asking, ended]) attention.settle(view);
    expect(told).toEqual([]);
    attention.focus(false);
    for (const view of [running, asking, asking, running, ended, ended]) attention.settle(view);
    expect(told).toEqual([
      "\u001b]9;Local Harness: asks about bash\u0007",
      "\u001b]9;Local Harness: the turn has ended\u0007",
    ]);
    for (const view of [running, asked, asked]) attention.settle(view);
    expect(told.slice(2)).toEqual(['\u001b]9;Local Harness: the MCP server "kettle" asks you\u0007']);
    attention.focus(true);
    for (const view of [running, asking, asked, ended]) attention.settle(view);
    expect(told).toHaveLength(3);
  });

  test("come always when the person wants it", () => {
    const { attention, told } = watch({ notify: "bell", notify_when: "always" });
    for (const view of [running, ended]) attention.settle(view);
    expect(told).toEqual(["\u0007"]);
  });

  test("do not come for what another session has done before it is shown", () => {
    const { attention, told } = watch({ notify: "bell", notify_when: "always" });
    attention.settle(running);
    attention.startOver(ended);
    attention.settle(ended);
    expect(told).toEqual([]);
  });

  test.each<[NotifyKind, string]>([
    ["off", ""],
    ["bell", "\u0007"],
    ["osc9", "\u001b]9;Local Harness: a[2Jb c\u0007"],
    ["osc777", "\u001b]777;notify;Local Harness;a[2Jb c\u0007"],
    ["auto", "\u001b]777;notify;Local Harness;a[2Jb c\u0007"],
  ])("%s: the text is cleaned", (kind, sequence) => {
    const text = "a\u001b[2Jb\u0007\u009c\u202e\nc";
    expect(notification(kind, text, { TERM: "foot" })).toBe(sequence);
  });

  test.each([
    [{ TERM_PROGRAM: "iTerm.app" }, "osc9"],
    [{ TERM_PROGRAM: "WezTerm" }, "osc777"],
    [{ TERM: "xterm-kitty" }, "osc9"],
    [{ TERM: "xterm-ghostty", TERM_PROGRAM: "ghostty" }, "osc777"],
    [{ TERM: "foot-extra" }, "osc777"],
    [{ TERM: "xterm-kitty", TMUX: "/tmp/tmux" }, "bell"],
    [{ TERM: "xterm-256color" }, "bell"],
    [{}, "bell"],
  ])("auto in %j is %s", (env, kind) => {
    expect(notifyKind(env)).toBe(kind);
  });
});

describe("the title", () => {
  test("has the first message and what the session does, and changes only when they change", () => {
    const { attention, titles } = watch();
    for (const view of [idle, running, running, asking, running, asked, ended]) attention.settle(view);
    expect(titles).toEqual([
      "Make tea · localharness",
      "● Make tea · localharness",
      "? Make tea · localharness",
      "● Make tea · localharness",
      "? Make tea · localharness",
      "Make tea · localharness",
    ]);
  });

  test("has the name that the person gave the session", () => {
    const { attention, titles } = watch();
    attention.startOver(idle);
    attention.rename("tea time");
    expect(titles.at(-1)).toBe("tea time · localharness");
    attention.startOver(idle);
    expect(titles.at(-1)).toBe("Make tea · localharness");
  });

  test("has no control characters and is short", () => {
    const { attention, titles } = watch();
    const content = `a\u001b]2;evil\u0007\n\n  b\u009c ${"漢".repeat(1_000_000)}`;
    attention.settle({ ...emptyView, messages: [{ ...said, content }] });
    expect(titles).toEqual([`a]2;evil b ${"漢".repeat(68)}… · localharness`]);
  });
});
