/** A call is named by its tool and its subject, on one short line. */
import { expect, test } from "vitest";
import { callWords } from "../src/call-words.ts";

test.each([
  ["edit_file", { old_string: "a", path: "src/a.ts", new_string: "b" }, "edit_file src/a.ts"],
  ["bash", { command: "sed -i s/x/y/ a.txt" }, "bash `sed -i s/x/y/ a.txt`"],
  ["bash", { path: "p", command: "a\nb\u001b[2J" }, "bash `a\\nb\\x1b[2J`"],
  ["server__make", { name: "tea", size: 3 }, "server__make tea"],
  ["task_list", {}, "task_list"],
  ["bash", { command: "x".repeat(500) }, `bash \`${"x".repeat(59)}…\``],
])("%s %j", (name, args, words) => expect(callWords(name, args)).toBe(words));
