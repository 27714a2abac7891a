/** Checks that a browser runs the commands of the table that it has. */
import { join } from "node:path";
import { commandsOn } from "@localharness/protocol/command-texts";
import { expect, test } from "vitest";

/** A name that the compiler does not follow, because the types of a browser are not those of a test. */
const source: string = join(import.meta.dirname, "../src/screen/commands.ts");

test("a browser runs each command of the table that it has, and no other", async () => {
  const { webCommands } = (await import(source)) as { readonly webCommands: object };
  const names: string[] = commandsOn("browser").map(({ name }) => name);
  expect(Object.keys(webCommands).toSorted()).toEqual(names.toSorted());
});
