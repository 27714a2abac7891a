import { expect, test } from "vitest";
import { achievementsOf } from "../../src/shell/achievements.ts";
import { loadGrammar } from "../../src/shell/grammar.ts";
import { readCommand } from "../../src/shell/read-command.ts";

const grammar = await loadGrammar();

const kinds = (command: string) =>
  achievementsOf(readCommand(command, grammar)).map((achievement) => achievement.kind);

test.each([
  "npm test",
  "npm run test:unit",
  "CI=1 npx vitest run",
  "pytest -q",
  "python -m pytest tests/",
  "uv run pytest",
  "go test ./...",
  "cargo test --workspace",
  "make test",
  "node --test",
  "cd app && npm t && echo ok",
  "./gradlew test",
  "zig build test",
  ...[
    "time npm test",
    "timeout 60 npm test",
    "npm test > out.txt 2>&1",
    "(cd app; npm test)",
    "cat x | npx jest",
  ],
  ...["yarn jest", "bundle exec rspec", "./mvnw -q verify", "npx --yes vitest run", "make -s check"],
])("%j vouches for tests that passed", (command) => {
  expect(kinds(command)).toEqual(["tests-passed"]);
});

test.each([
  "npm test || true",
  "npm test; echo done",
  "npm test | tail",
  "npm install",
  "echo npm test",
  "npm run testing",
  ...[
    "npm test &",
    "false || npm test",
    "find . -exec npm test ';'",
    "if npm test; then ls; fi",
    "! npm test",
  ],
  ...["echo $(npm test)", "coproc npm test", "echo 'a && npm test'"],
  "cat pytest.ini",
])("%j does not", (command) => {
  expect(kinds(command)).toEqual([]);
});

test("a commit counts as one", () => {
  expect(kinds("git add -A && git commit -qm done")).toEqual(["committed"]);
  expect(kinds("npm test && git commit -m x")).toEqual(["tests-passed", "committed"]);
});
