/** Checks that the version and the help describe the program correctly. */
import { readFileSync } from "node:fs";
import { version } from "@localharness/harness/version";
import { expect, test } from "vitest";
import { commands } from "../src/arguments/commands.ts";
import { flags } from "../src/arguments/flags.ts";
import { helpText } from "../src/help.ts";

test("the version is the one in package.json", () => {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  expect(version).toBe(manifest.version);
});

test("the help texts name every command, every option and the exit codes", () => {
  const all = [helpText(), ...commands.map((command) => helpText(command.name))].join("\n");
  for (const flag of flags) expect(all).toContain(`--${flag.name}`);
  for (const command of commands) expect(helpText()).toContain(command.title);
  expect(helpText()).toMatch(/130 {2}interrupted/);
});

test("the help fits a terminal of 110 columns", () => {
  const texts = [helpText(), ...commands.map((command) => helpText(command.name))];
  const long = texts.flatMap((text) => (text ?? "").split("\n")).filter((line) => line.length > 110);
  expect(long).toEqual([]);
});
