/**
 * Checks each language with a file of `../fixtures`, in which the comment of a line lists all that the index finds there:
 * `def KIND NAME`, `call NAME`, `import NAME`; `use NAME` is one of the other names on the line. `line N` before a fact names another
 * line than that of the comment.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { languageOf, languages } from "../../src/languages/table.ts";
import type { FileFacts } from "../../src/parse/facts.ts";
import { parseSource } from "../../src/parse/parse-source.ts";
import { namesIn, type PlaceKind, readPlaces } from "../../src/parse/places.ts";

const folder = join(import.meta.dirname, "../fixtures");
const fixtures = readdirSync(folder).map((file) => ({
  name: file.replace(/\.txt$/, ""),
  text: readFileSync(join(folder, file), "utf8"),
}));

/** Returns `LINE FACT` for each fact that the comments of a fixture list. */
function expectedIn(text: string): readonly string[] {
  return text.split("\n").flatMap((line, index) =>
    (/(?:\/\/|#): (.*)$/.exec(line)?.[1]?.split("; ") ?? []).map((fact) => {
      const [, other = String(index + 1), rest = ""] = /^(?:line (\d+) )?(.*)$/.exec(fact) ?? [];
      return `${other} ${rest}`;
    }),
  );
}

async function factsOf(name: string, text: string): Promise<FileFacts> {
  const language = languageOf(name);
  if (language === undefined) throw new Error(`${name} has no language`);
  const outcome = await parseSource(text, language, undefined);
  if (outcome.kind !== "parsed") throw new Error(`${name} is ${outcome.kind}`);
  return outcome.facts;
}

function definitions({ symbols }: FileFacts): readonly string[] {
  return symbols.map(
    ({ line, kind, container, name }) =>
      `${line} def ${kind} ${container === "" ? name : `${container}.${name}`}`,
  );
}

function places({ places: text }: FileFacts, kinds: readonly PlaceKind[], word: string): readonly string[] {
  return namesIn(text).flatMap(({ name }) =>
    readPlaces(text, name).flatMap(({ kind, line }) =>
      kinds.includes(kind) ? [`${line} ${word} ${name}`] : [],
    ),
  );
}

test("every language has a fixture", () => {
  const found = new Set(fixtures.map(({ name }) => languageOf(name)?.id));
  expect([...found].sort()).toEqual(languages.map(({ id }) => id).sort());
});

test.each(fixtures)(
  "$name: definitions, calls and imports are exactly those of its comments",
  async ({ name, text }) => {
    const expected = expectedIn(text);
    const of = (word: string) => expected.filter((fact) => fact.split(" ")[1] === word).sort();
    const facts = await factsOf(name, text);
    expect(definitions(facts).toSorted()).toEqual(of("def"));
    expect(places(facts, ["c"], "call").toSorted()).toEqual([...new Set(of("call"))]);
    expect(facts.imports.toSorted()).toEqual(
      [...new Set(of("import").map((fact) => fact.replace(/^\d+ import /, "")))].sort(),
    );
    const used = places(facts, ["r", "i"], "use");
    for (const use of of("use")) expect(used).toContain(use);
  },
);
