/** Additional checks for requirements that a row states only in the words of `must`. */
import { listOf, shownArguments } from "../observation.ts";
import { brief, type Check, type Problem } from "./check.ts";

export interface MustCheck {
  readonly name: string;
  /** Matches the requirement in the text of `must`. */
  readonly says: RegExp;
  readonly check: Check;
}

export const mustChecks: readonly MustCheck[] = [
  {
    name: "the whole command is shown",
    says: /shows the whole command/,
    check(seen) {
      // The question must show exactly the command that would run.
      const command = seen.found["command"];
      const [asked] = seen.asked;
      if (command === undefined || asked === undefined) return undefined;
      const shown = shownArguments(asked.text)?.["command"];
      return shown === command
        ? undefined
        : `expected the question to show ${brief(String(command))}, got ${brief(String(shown))}`;
    },
  },
  {
    name: "a confusable letter is pointed out",
    says: /confusable code point is pointed out/,
    check(seen, _expected, row) {
      const letter = /[^\p{ASCII}]/u.exec(JSON.stringify(row.arguments))?.[0].codePointAt(0) ?? 0;
      const code = letter.toString(16).padStart(4, "0");
      const shown = seen.asked.map((asked) => asked.text.toLowerCase());
      if (shown.length === 0 || shown.some((text) => text.includes(code))) return undefined;
      return `U+${code.toUpperCase()} is not pointed out`;
    },
  },
  {
    name: "each file is reported once",
    says: /each real file reported once/,
    check(seen) {
      const lines = (seen.main?.text ?? "").split("\n").filter((line) => line.includes("f.txt"));
      return lines.length === 1 ? undefined : `expected one line, got ${brief(lines.join("\n"))}`;
    },
  },
  {
    name: "the person is asked",
    says: /call asks/,
    check: (seen) => (seen.decided === "ask" ? undefined : `the call was decided: ${seen.decided}`),
  },
  {
    name: "a repair is marked",
    says: /repaired; marked/,
    check: (seen) => (seen.found["repairs"]?.toString() ? undefined : "the call does not report a repair"),
  },
  {
    name: "the value is rejected",
    says: /rejected by the schema/,
    check: (seen) =>
      seen.main?.errorType === "validation_failed"
        ? undefined
        : `expected validation_failed, got ${seen.main?.errorType}: ${brief(seen.main?.text ?? "")}`,
  },
  { name: "a person is told which call was dropped", says: /told which tool/, check: onScreen(/write_file/) },
  { name: "a person is told", says: /clear notice/, check: onScreen(/empty/) },
  {
    name: "a person is told what is wrong",
    says: /instead of JSON: clear error/,
    check: onScreen(/error: /),
  },
  {
    name: "nothing invisible reaches the model",
    says: /stripped before the model/,
    check(seen) {
      const sent = JSON.stringify(listOf(seen.requests[0]?.body["messages"]));
      return /[\u{e0000}-\u{e007f}]/u.test(sent) ? "invisible characters are sent to the model" : undefined;
    },
  },
];

function onScreen(pattern: RegExp): Check {
  return (seen): Problem => (pattern.test(seen.screen) ? undefined : `expected ${pattern} on the screen`);
}
