/** Checks that messages count their nouns with `countText`, so that no message says "1 lines". */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./run-program.ts";

/**
 * Nouns that messages count. Tokens are not among them, because there is never one, nor words that may be verbs, such as
 * "answers" and "runs".
 */
const nouns = words(`
  agents arguments blanks blocks bytes calls characters chunks commands commits days declarations
  definitions directories documents entries events fields files folders hosts hours images items iterations
  jobs keys lines links marks messages minutes models options pages parts paths pieces places ports
  problems processes programs questions references requests results rules seconds secrets sections servers
  sessions skills sources steps stories symbols tasks tests times tools turns values warnings words
`);

function words(text: string): string {
  return text.trim().split(/\s+/).join("|");
}

/** Matches a value and a plural after it in a template, and a plural that is made by hand. */
const counted = new RegExp(
  String.raw`\$\{(?<value>(?:[^{}]|\{[^{}]*\})*)\} (?:(?:more|other|new|open) )?(?:${nouns})\b(?! and )|\? "" : "s"|\? "s" : ""`,
  "g",
);

/** Values that are limits of the program, each greater than one, or that hold more than a number. */
const always = /^(?:max|most[A-Z]|imageLimits\.)/;

/** Other values that are never one, and texts that are no message. */
const never: Readonly<Record<string, string>> = {
  "mcp/src/servers/server.ts": "this.#starts",
  "models/src/demo/find-fix.ts": '? "" : "s"',
  "protocol/src/amounts.ts": "Math.floor(hours / 24)",
  "server/src/routes/hub-routes.ts": "codeMinutes",
  "terminal/src/editor/large-pastes.ts": 'lines.toLocaleString("en")',
  "commands/src/answers/file-marks.ts": "size",
  "processes/src/sandbox/closed-by-rules.ts": "index",
  "tools/src/web/page-text.ts": 'answer.cut ? " or more" : ""',
};

test("every message counts its nouns with countText", () => {
  const found = globSync("packages/*/src/**/*.{ts,tsx}", { cwd: root }).flatMap((path) => {
    const name = path.replace("packages/", "");
    const code = readFileSync(join(root, path), "utf8").replace(/^\s*(?:\/\*\*|\*|\/\/).*$/gm, "");
    return [...code.matchAll(counted)].flatMap(({ 0: text, groups }) => {
      const value = groups?.["value"] ?? text;
      return always.test(value) || never[name] === value ? [] : [`${name}: ${text}`];
    });
  });
  expect(found).toEqual([]);
});
