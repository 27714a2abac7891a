/**
 * Every row of the table of formats: one file reads and writes the format, and its example is read as the call of the
 * row, however it is cut.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { table } from "../../src/formats/table.ts";
import { detect, formats, summarize } from "../../src/index.ts";
import { readPieces, sampleTools } from "../format-contract.ts";

describe("the example of a format", () => {
  for (const format of formats) {
    test(`${format.id} is read in auto mode, whole and in pieces`, () => {
      const events = detect(format.example, { tools: sampleTools });
      const { calls, errors, text } = summarize(events);
      const isSpecial = format.id === "tool-args" || format.id === "inkling";
      expect(calls).toMatchObject([
        {
          name: "read_file",
          arguments: { path: "a.txt" },
          format: format.id,
          repairs: isSpecial ? ["argument-key"] : [],
        },
      ]);
      expect([errors, text.trim()]).toEqual([[], ""]);
      expect(readPieces(format.example.split(""), { tools: sampleTools })).toEqual(events);
      for (let index = 1; index < format.example.length; index += 1) {
        const pieces = [format.example.slice(0, index), format.example.slice(index)];
        expect(readPieces(pieces, { tools: sampleTools }), `split at ${index}`).toEqual(events);
      }
    });

    test(`${format.id} is read when it is the only format asked for`, () => {
      const { calls } = summarize(detect(format.example, { tools: sampleTools, format: format.id }));
      expect(calls.map((call) => call.name)).toEqual(["read_file"]);
    });

    test(`${format.id} is not a call of a tool that is not on offer`, () => {
      const { calls } = summarize(
        detect(format.example, { tools: [{ name: "other_tool" }, { name: "launch" }] }),
      );
      expect(calls).toEqual([]);
    });

    test(`${format.id} cut short is no call and loses no text`, () => {
      const cut = format.example.slice(0, format.example.indexOf("a.txt") + 3);
      const { calls, errors, text } = summarize(detect(cut, { tools: sampleTools }));
      expect(calls).toEqual([]);
      // Special tokens in front of the call may be gone; what the model said is all there.
      const left = text + errors.map((error) => error.raw).join("");
      expect(cut.endsWith(left)).toBe(true);
      expect(left).toContain("a.t");
    });

    test(`${format.id} in a code span is text`, () => {
      const quoted = `Models write \`${format.example.replaceAll("\n", "").replaceAll("```", "")}\` for it.`;
      expect(summarize(detect(quoted, { tools: sampleTools })).calls).toEqual([]);
    });
  }
});

describe("the file of a format", () => {
  const folder = join(import.meta.dirname, "../../src/formats");

  test.each(table)("$id shows in its header the example, exactly", async ({ id, example, write }) => {
    const source = readFileSync(join(folder, `${id}.ts`), "utf8");
    const header = source.slice(0, source.indexOf("*/"));
    const shown = header.split("\n").filter((line) => line.startsWith(" *     "));
    expect(shown.map((line) => line.slice(" *     ".length)).join("\n")).toBe(example);
    const exported: { [name: string]: unknown } = await import(join(folder, `${id}.ts`));
    expect(Object.values(exported)).toEqual([expect.objectContaining({ write })]);
  });

  test.each(table)(
    "$id reads with its own openers what its own writer writes",
    ({ id, write, writeWords }) => {
      const calls = [
        { name: "read_file", arguments: { path: "a.txt", limit: 3 } },
        { name: "git_status", arguments: {} },
      ];
      const alone = detect(write(calls), { tools: sampleTools, format: id });
      expect(summarize(alone).calls.map(({ name, arguments: args }) => ({ name, arguments: args }))).toEqual(
        calls,
      );
      const words = writeWords?.("So.") ?? "So.\n";
      expect(summarize(detect(words + write(calls), { tools: sampleTools })).text.trim()).toBe("So.");
    },
  );

  test.each(table)("$id has marks for templates that stand in its own calls", ({ example, marks }) => {
    expect(marks.filter((mark) => !example.includes(mark))).toEqual([]);
  });

  test("every file beside the table is a row or what rows share", () => {
    const shared = ["definitions", "format", "formats-for-model", "framed-format", "rows", "rules", "table"];
    const files = readdirSync(folder).map((name) => name.replace(/\.ts$/, ""));
    expect(files.sort()).toEqual([...shared, ...table.map((row) => row.id)].sort());
    expect(formats).toBe(table);
  });
});
