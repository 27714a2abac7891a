/**
 * The tool calls of ten ordinary tasks in a small project, as a model would make them. The tasks can be done one after another in
 * one session, and each alone.
 */
import type { JsonObject } from "@localharness/protocol";

export interface Task {
  readonly name: string;
  /** The calls of each of the model's answers. */
  readonly answers: readonly (readonly TaskCall[])[];
}

export interface TaskCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

const call = (name: string, args: JsonObject = {}): TaskCall => ({ name, arguments: args });
const read = (path: string) => call("read_file", { path });
const grep = (pattern: string) => call("grep_search", { pattern });
const edit = (path: string, from: string, to: string) =>
  call("edit_file", { path, old_string: from, new_string: to });
const bash = (command: string) => call("bash", { command });

/** The shell script that creates the project in an empty folder. */
export const project = `
  mkdir -p src test docs build
  echo '{ "name": "sums", "version": "1.0.0", "scripts": { "test": "node --test", "build": "node build.js" } }' > package.json
  echo 'exports.add = (a, b) => a - b;' > src/add.js
  echo 'exports.sum = (list) => list.reduce((a, b) => require("./add.js").add(a, b), 0);' > src/sum.js
  echo 'const { add } = require("../src/add.js"); require("node:test")("adds", () => require("node:assert").equal(add(1, 2), 3));' > test/add.test.js
  printf '# Sums\\n\\nAdds numbers.\\n' > README.md; echo '# Use' > docs/use.md; echo '# Design' > docs/design.md
  echo 'console.log("built");' > build.js; echo old > build/old.txt; echo old > notes.tmp; echo build > .gitignore
  git init -q -b main; git config user.name Ann; git config user.email ann@localhost; git add -A; git commit -qm "First version"
`;

const fix = edit("src/add.js", "a - b", "a + b");

export const tasks: readonly Task[] = [
  {
    name: "fix a bug",
    answers: [
      [bash("npm test")],
      [read("test/add.test.js"), read("src/add.js")],
      [fix],
      [bash("npm test")],
      [call("git_diff")],
    ],
  },
  {
    name: "rename a function",
    answers: [
      [grep("add")],
      [read("src/add.js"), read("src/sum.js"), read("test/add.test.js")],
      [edit("src/add.js", "exports.add", "exports.plus"), edit("src/sum.js", ").add(", ").plus(")],
      [edit("test/add.test.js", "const { add }", "const { plus: add }")],
      [bash("npm test")],
    ],
  },
  {
    name: "search the code",
    answers: [
      [call("ls")],
      [grep("reduce"), grep("require")],
      [read("src/sum.js")],
      [bash("wc -l src/*.js")],
    ],
  },
  {
    name: "write a document",
    answers: [
      [call("ls", { path: "docs" }), read("README.md")],
      [read("src/add.js"), read("src/sum.js")],
      [call("write_file", { path: "docs/api.md", content: "# API\n\n- add(a, b)\n- sum(list)\n" })],
      [edit("README.md", "Adds numbers.", "Adds numbers. See docs/api.md.")],
    ],
  },
  {
    name: "run the tests",
    answers: [
      [bash("npm test")],
      [read("test/add.test.js")],
      [bash("node --test test/add.test.js")],
      [bash("npm test")],
    ],
  },
  {
    name: "commit",
    answers: [
      [edit("docs/use.md", "# Use", "# Use\n\nCall sum with a list.")],
      [call("git_status")],
      [call("git_diff")],
      [call("git_commit_all", { message: "Add instead of subtract" })],
      [call("git_status")],
    ],
  },
  {
    name: "add a dependency and use it",
    answers: [
      [read("package.json"), read("src/sum.js")],
      [edit("package.json", '"version"', '"dependencies": {}, "version"')],
      [call("write_file", { path: "src/mean.js", content: "exports.mean = (list) => list.length;\n" })],
      [bash("npm install --offline --no-audit --no-fund")],
      [bash("npm test")],
    ],
  },
  {
    name: "read the documents",
    answers: [
      [call("ls", { path: "docs" })],
      [read("README.md"), read("docs/use.md")],
      [read("docs/design.md")],
      [grep("Design")],
    ],
  },
  {
    name: "look into the history",
    answers: [
      [bash("git log --oneline -5")],
      [bash("git show HEAD --stat")],
      [bash("git blame src/add.js")],
      [bash("git diff HEAD~0"), bash("git status --short")],
    ],
  },
  {
    name: "tidy up",
    answers: [
      [bash("ls -la"), bash("ls build")],
      [call("remove", { path: "notes.tmp" })],
      [bash("rm -r build")],
      [call("git_status")],
      [bash("npm run build")],
    ],
  },
];
