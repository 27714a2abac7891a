import { expect, test } from "vitest";
import { achievementsOf } from "../../src/shell/achievements.ts";

const kinds = (command: string) => achievementsOf(command).map((achievement) => achievement.kind);

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
  "cat pytest.ini",
])("%j does not", (command) => {
  expect(kinds(command)).toEqual([]);
});

test("a commit counts as one", () => {
  expect(kinds("git add -A && git commit -qm done")).toEqual(["committed"]);
  expect(kinds("npm test && git commit -m x")).toEqual(["tests-passed", "committed"]);
});
