import { completionScript, shells } from "@localharness/harness/completions/completion-script";
import { describe, expect, test } from "vitest";
import { commands } from "../../src/arguments/commands.ts";
import { flags } from "../../src/arguments/flags.ts";
import { completionTable } from "../../src/commands/completions.ts";

describe.each(shells)("the script for %s", (shell) => {
  const script = completionScript(shell, completionTable());

  test("has every command and every option", () => {
    for (const { name } of commands) expect(script).toContain(name);
    for (const { name } of flags.filter((flag) => flag.name !== "version")) {
      expect(script).toMatch(new RegExp(shell === "fish" ? `-l ${name} ` : `--${name}\\b`));
    }
  });

  test("has the values of settings and of options", () => {
    for (const value of ["high-contrast", "accept-edits", "searxng", "openrouter", "minimal"]) {
      expect(script).toContain(value);
    }
  });
});
