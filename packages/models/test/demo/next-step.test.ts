import type { ToolDefinition } from "@localharness/engine";
import type { JsonObject, ModelMessage } from "@localharness/protocol";
import { describe, expect, it } from "vitest";
import { nextStep } from "../../src/demo/next-step.ts";
import { tourPrompt } from "../../src/index.ts";
import { definition, user } from "../test-request.ts";

const offered: readonly ToolDefinition[] = [
  definition("ls", ["path"], []),
  definition("read_file", ["path"]),
  definition("grep_search", ["pattern"]),
  definition("write_file", ["path", "content"]),
  definition("edit_file", ["path", "old_string", "new_string"]),
  definition("mkdir", ["path"]),
  definition("remove", ["path"]),
  definition("bash", ["command"]),
  definition("get_current_time", []),
  definition("get_working_directory", []),
  definition("add_task", ["content"]),
  definition("list_tasks", []),
  definition("update_task", ["task_id", "status"]),
  definition("git_status", []),
  definition("git_diff", []),
  definition("git_log", []),
  definition("git_commit_all", ["message"]),
];

type Outcome = string | { readonly error: string };

/** Runs the demo to its end. `outcomes` has the result of each tool; the others give `ok`. */
function run(prompt: string, outcomes: Readonly<Record<string, Outcome>> = {}, tools = offered) {
  const messages: ModelMessage[] = [user(prompt)];
  const calls: [string, JsonObject][][] = [];
  for (let count = 0; count < 12; count += 1) {
    const step = nextStep({ messages, tools });
    if (step.calls.length === 0) return { calls, answer: step.say, said: messages };
    calls.push(step.calls.map((call) => [call.name, call.arguments]));
    const made = step.calls.map((call, place) => ({ ...call, id: `c${count}_${place}` }));
    messages.push({ role: "assistant", content: step.say, toolCalls: made });
    for (const call of made) messages.push(resultOf(call.id, call.name, outcomes[call.name] ?? "ok"));
  }
  throw new Error("the demo does not come to an end");
}

function resultOf(toolCallId: string, toolName: string, outcome: Outcome): ModelMessage {
  const result =
    typeof outcome === "string"
      ? { success: true, data: outcome, error_message: null, error_type: "none" }
      : { success: false, data: null, error_message: "no", error_type: outcome.error };
  return { role: "tool", toolCallId, toolName, content: JSON.stringify(result) };
}

const asked: readonly { prompt: string; calls: readonly (readonly [string, JsonObject])[][] }[] = [
  { prompt: "list the files", calls: [[["ls", { path: "." }]]] },
  { prompt: "What files are in src/?", calls: [[["ls", { path: "src/" }]]] },
  { prompt: "read README.md", calls: [[["read_file", { path: "README.md" }]]] },
  { prompt: "please summarize `docs/a-b.txt`", calls: [[["read_file", { path: "docs/a-b.txt" }]]] },
  { prompt: 'search for "to do"', calls: [[["grep_search", { pattern: "to do" }]]] },
  { prompt: "grep TODO", calls: [[["grep_search", { pattern: "TODO" }]]] },
  {
    prompt: "Find TODOs in the code and save to todos.txt",
    calls: [[["grep_search", { pattern: "TODO" }]], [["write_file", { path: "todos.txt", content: "ok\n" }]]],
  },
  {
    prompt: 'write "hello there" to a.txt',
    calls: [[["write_file", { path: "a.txt", content: "hello there\n" }]]],
  },
  {
    prompt: 'replace "old" with "new" in src/a.js',
    calls: [
      [["read_file", { path: "src/a.js" }]],
      [["edit_file", { path: "src/a.js", old_string: "old", new_string: "new" }]],
    ],
  },
  {
    prompt: "Look around and tell me what this project does",
    calls: [
      [
        ["ls", { path: "." }],
        ["read_file", { path: "README.md" }],
      ],
    ],
  },
  { prompt: "Run the tests and explain what fails", calls: [[["bash", { command: "npm test" }]]] },
  { prompt: "run `npm test -- --all`", calls: [[["bash", { command: "npm test -- --all" }]]] },
  { prompt: "what time is it?", calls: [[["get_current_time", {}]]] },
  { prompt: "make a folder build/out", calls: [[["mkdir", { path: "build/out" }]]] },
  { prompt: "delete old.txt", calls: [[["remove", { path: "old.txt" }]]] },
  {
    prompt: "add a task: water the plants, then list the tasks",
    calls: [[["add_task", { content: "water the plants" }]], [["list_tasks", {}]]],
  },
  {
    prompt: 'git status and commit with "a message"',
    calls: [[["git_status", {}]], [["git_commit_all", { message: "a message" }]]],
  },
  {
    prompt: "list the files, read README.md and tell me the time",
    calls: [
      [
        ["ls", { path: "." }],
        ["read_file", { path: "README.md" }],
        ["get_current_time", {}],
      ],
    ],
  },
];

describe("nextStep", () => {
  it.each(asked)("answers $prompt", ({ prompt, calls }) => {
    expect(run(prompt).calls).toEqual(calls);
  });

  it("says what it is and what it can do if no rule matches", () => {
    const { calls, answer } = run("Is there a god?");
    expect(calls).toEqual([]);
    expect(answer).toContain("not a language model");
    expect(answer).toContain("- list the files");
    expect(answer).toContain("ollama pull");
  });

  it("ends with the tools' output", () => {
    const { answer } = run("read README.md", { read_file: "1: Title\n2: Text" });
    expect(answer).toContain("- read_file README.md: \n    1: Title\n    2: Text");
  });

  it("does without tools that are not on offer", () => {
    const tools = offered.filter((tool) => tool.name !== "get_current_time");
    expect(run("tell me the time and list the files", {}, tools).calls).toEqual([[["ls", { path: "." }]]]);
  });

  it("uses the names that the tools on offer have", () => {
    const tools = [definition("read", ["file_path"]), definition("run_cmd", ["cmd"])];
    expect(run("read a.txt and run `date`", {}, tools).calls).toEqual([
      [["read", { file_path: "a.txt" }]],
      [["run_cmd", { cmd: "date" }]],
    ]);
  });

  it("handles each message of the person separately", () => {
    const { said } = run("read README.md");
    const step = nextStep({
      messages: [...said, { role: "assistant", content: "x" }, user("git log")],
      tools: offered,
    });
    expect(step.calls).toEqual([{ name: "git_log", arguments: {} }]);
  });
});

const source = [
  "1: function describe(seconds) {",
  '2:   // TODO: say "1 minute", not "1 minutes"',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the file that is read holds a template.
  "3:   return `For ${seconds / 60} minutes.`;",
  "4: }",
].join("\n");
const hits = "docs/notes.md:3: TODO: write more\nsrc/tea.js:2: // TODO: say it right";
const found = { ls: "docs/\nsrc/", grep_search: hits, read_file: source, add_task: "task_7" };

describe("the tour", () => {
  const names = (calls: readonly [string, JsonObject][][]) => calls.map((step) => step.map(([name]) => name));

  it("lists, searches, reads, fixes, checks with git and keeps its task", () => {
    const { calls, answer } = run(tourPrompt, found);
    expect(names(calls)).toEqual([
      ["add_task", "ls", "grep_search"],
      ["read_file", "read_file"],
      ["edit_file"],
      ["git_status", "git_diff", "update_task"],
      ["list_tasks"],
    ]);
    expect(calls[1]?.map(([, args]) => args["path"])).toEqual(["src/tea.js", "docs/notes.md"]);
    expect(calls[2]?.[0]?.[1]).toEqual({
      path: "src/tea.js",
      // biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are lines of a file that holds a template.
      old_string: '  // TODO: say "1 minute", not "1 minutes"\n  return `For ${seconds / 60} minutes.`;',
      new_string: '  return `For ${seconds / 60} minute${seconds / 60 === 1 ? "" : "s"}.`;',
      // biome-ignore-end lint/suspicious/noTemplateCurlyInString: see above.
    });
    expect(calls[3]?.[2]?.[1]).toEqual({ task_id: "task_7", status: "completed" });
    expect(answer).toContain("Done: src/tea.js is fixed.");
  });

  it("goes on after a denied edit, says so, and leaves the task open", () => {
    const { calls, answer, said } = run(tourPrompt, { ...found, edit_file: { error: "permission_denied" } });
    expect(names(calls).at(-1)).toEqual(["list_tasks"]);
    expect(calls[3]?.[2]?.[1]).toEqual({ task_id: "task_7", status: "pending" });
    expect(
      said.some((one) => one.content.startsWith("edit_file was not allowed, so I go on without it.")),
    ).toBe(true);
    expect(answer).toContain("Not allowed, and therefore not done: edit_file.");
    expect(answer).toContain("The fix was not made; the file is as it was.");
  });

  it("says so if it finds nothing to fix", () => {
    const { calls, answer } = run("tour", { ...found, grep_search: "No matches" });
    expect(names(calls)).toEqual([
      ["add_task", "ls", "grep_search"],
      ["git_status", "git_diff", "update_task"],
      ["list_tasks"],
    ]);
    expect(answer).toContain("There was nothing here that my rules can fix.");
  });
});
