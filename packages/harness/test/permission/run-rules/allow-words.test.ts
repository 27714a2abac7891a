/** Checks the options that a run names for calls that nobody could allow: they are valid, and they allow the call. */
import type { PermissionRequest, SessionEvent } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { allowOption, collectUnanswered } from "../../../src/permission/run-rules/allow-words.ts";
import { runRules } from "../../../src/permission/run-rules/run-rules.ts";

const request = (given: Partial<PermissionRequest>): PermissionRequest => ({
  requestId: "r",
  callId: "c",
  toolName: "bash",
  arguments: {},
  argumentsHash: "",
  risk: "high",
  rule: "risk:high",
  reason: "",
  covers: "",
  concerns: [],
  ...given,
});

const bash = (command: string) => request({ arguments: { command } });
const write = (path: string) =>
  request({ toolName: "write_file", arguments: { path }, paths: [{ path, access: "write" }] });

test.each<[PermissionRequest, string]>([
  [bash("npm test"), `--allow "bash --command 'npm test'"`],
  [bash("make"), '--allow "bash --command make"'],
  [bash("a && b"), "--mode auto"],
  [bash("echo 'x'"), "--mode auto"],
  [bash("x\u001b[2J"), "--mode auto"],
  [write("src/a.ts"), '--allow "write_file --path src/a.ts"'],
  [write("a b.txt"), `--allow "write_file --path 'a b.txt'"`],
  [write("a$(x).txt"), "--allow write_file"],
  [
    { ...bash("cat .env"), rule: "built-in:secret:.env" },
    "--answer once, which allows every call of the run",
  ],
  [{ ...write("src/a.ts"), rule: "rule:12345678" }, "--answer once, which allows every call of the run"],
  [request({ toolName: "web_fetch", arguments: { url: "https://example.com" } }), "--allow web_fetch"],
])("%j", (asked, option) => {
  expect(allowOption(asked)).toBe(option);
  const rule = /^--allow "?(.*?)"?$/.exec(option)?.[1];
  if (rule !== undefined) expect(runRules([rule])).toHaveLength(1);
});

describe("a run", () => {
  const event = (body: object) => body as unknown as SessionEvent;
  const ask = (id: string, asked: PermissionRequest, by: string) => [
    event({ type: "permission-request", request: { ...asked, requestId: id } }),
    event({ type: "permission-answer", requestId: id, answer: "deny", by }),
  ];

  test.each<[string, readonly SessionEvent[], string | undefined]>([
    ["without requests", [], undefined],
    ["whose requests were answered", ask("1", bash("make"), "person"), undefined],
    [
      "with one",
      ask("1", bash("make"), "nobody"),
      '1 call was denied, because nobody could be asked. To allow: --allow "bash --command make"',
    ],
    [
      "with the same twice",
      [...ask("1", bash("a && b"), "nobody"), ...ask("2", bash("a && b"), "nobody")],
      "2 calls were denied, because nobody could be asked. To allow: --mode auto",
    ],
    [
      "in mode auto",
      [event({ type: "session-start", mode: "auto" }), ...ask("1", bash("a && b"), "nobody")],
      "1 call was denied, because nobody could be asked. To allow: --answer once, which allows every call of the run",
    ],
    ["that presented a plan", ask("1", request({ plan: { modes: ["default"] } }), "nobody"), undefined],
    [
      "of which one needs an answer",
      [
        ...ask("1", bash("make"), "nobody"),
        ...ask("2", { ...bash("cat .env"), rule: "built-in:secret:.env" }, "nobody"),
      ],
      "2 calls were denied, because nobody could be asked. To allow: --answer once, which allows every call of the run",
    ],
    [
      "with many",
      ["a", "b", "c", "d", "e"].flatMap((name) => ask(name, bash(name), "nobody")),
      '5 calls were denied, because nobody could be asked. To allow: --allow "bash --command a" --allow "bash --command b" --allow "bash --command c", and 2 more',
    ],
  ])("%s", (_title, events, line) => {
    const unanswered = collectUnanswered();
    for (const one of events) unanswered.take(one);
    expect(unanswered.line()).toBe(line);
  });
});
