/** What a command that ended well has achieved, as far as its text tells. */
import type { Achievement } from "@localharness/protocol";
import { programName, splitCommand } from "./split-command.ts";

const runners: readonly RegExp[] = [
  /^(?:npm|pnpm|yarn|bun) (?:(?:run|run-script) )?(?:t|test|tst)(?::\S+)?(?: |$)/,
  /^(?:npx |pnpm (?:exec|dlx) |yarn |bunx )?(?:vitest|jest|mocha|ava|tap|karma|playwright test|cypress run)(?: |$)/,
  /^(?:node|deno|bun|zig build|swift|flutter|dart|mix|cargo|go|dotnet|sbt|lein|rake|bazel|make|ninja|gradle|\.\/gradlew|gradlew|mvn|\.\/mvnw|mvnw|just|task)(?: -\S+)* (?:--)?(?:test|check|verify)(?: |$)/,
  /^(?:uv run |poetry run |pipenv run |hatch run )?(?:python3? -m )?(?:pytest|py\.test|unittest|nose2|tox)(?: |$)/,
  /^(?:bundle exec )?(?:rspec|minitest|phpunit|ctest|bats|prove)(?: |$)/,
];

/** For a command whose exit code was 0. Only what that exit code vouches for counts. */
export function achievementsOf(command: string): readonly Achievement[] {
  const commands = splitCommand(command);
  const achieved: Achievement[] = [];
  for (const [index, simple] of commands.entries()) {
    const vouched = commands.slice(index, -1).every((later) => later.after === "&&");
    const line = [programName(simple.words[0] ?? ""), ...simple.words.slice(1)].join(" ");
    if (vouched && runners.some((runner) => runner.test(line))) {
      achieved.push({ kind: "tests-passed", subject: line });
    } else if (vouched && /^git (?:-\S+ )*commit(?: |$)/.test(line)) {
      achieved.push({ kind: "committed" });
    }
  }
  return achieved;
}
