/** Checks which settings config.json may have, and the messages for invalid ones. */
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkConfig, readConfigFile } from "../../src/config/config-file.ts";

const wrong: [string, string][] = [
  ['{"provider": ""}', '1: "provider" expects a name such as ollama, got ""'],
  ['{\n"modle": "x"}', '2: unknown key "modle". Did you mean model?'],
  ['{"num_ctx": "big"}', '1: "num_ctx" expects a whole number from 256 to 16777216, got "big"'],
  ['{"num_ctx": 12}', '1: "num_ctx" expects a whole number from 256 to 16777216, got 12'],
  ['{\n\n"mode": "yolo"}', '3: "mode" expects one of default, plan, accept-edits, auto, bypass, got "yolo"'],
  [
    '{"limits": {\n"calls_per_iteration": 0}}',
    '2: "limits.calls_per_iteration" expects a whole number from 1 to 1000, got 0',
  ],
  ['{"limits": {"calls": 1}}', '1: unknown key "limits.calls".'],
  ['{"limits": 3}', '1: unknown key "limits".'],
  [
    '{"tools": [1]}',
    '1: "tools" expects minimal, standard, all, or a list of them and of tools, with -NAME for one that is left out, got [1]',
  ],
  [
    '{"keep_alive": "soon"}',
    '1: "keep_alive" expects a time such as "10m" or "-1", or a number of seconds, got "soon"',
  ],
  ['{"thinking": "much"}', '1: "thinking" expects true, false, low, medium or high, got "much"'],
  ["[]", "1: expected an object {...}, got a list"],
  ["{", "1:2: expected a key in double quotes, got the end of the file"],
];

describe("checkConfig", () => {
  test.each(wrong)("names line and key: %j", (text, problem) => {
    expect(checkConfig(text)).toEqual({ values: expect.anything(), problems: [problem] });
  });

  test("reads every setting", () => {
    const config = {
      $schema: "x",
      provider: "ollama",
      model: "qwen3:8b",
      host: "http://localhost:11434",
      num_ctx: 8192,
      num_predict: -1,
      keep_alive: "10m",
      thinking: "low",
      text_tool_calls: "text",
      mode: "plan",
      tools: ["ls", "read_file"],
      limits: { calls_per_iteration: 3, iterations_per_turn: 4 },
    };
    const { $schema: _schema, limits, ...flat } = config;
    expect(checkConfig(JSON.stringify(config))).toEqual({
      problems: [],
      values: { ...flat, "limits.calls_per_iteration": 3, "limits.iterations_per_turn": 4 },
    });
  });

  test("lists all mistakes at once", () => {
    expect(checkConfig('{"a": 1,\n"mode": 2}').problems).toHaveLength(2);
  });
});

describe("readConfigFile", () => {
  test("a missing file is no configuration, an unreadable one says so", async () => {
    const folder = await mkdtemp(join(tmpdir(), "lh-config-"));
    expect(await readConfigFile(join(folder, "config.json"))).toEqual({});
    await expect(readConfigFile(folder)).rejects.toThrow(/cannot be read: EISDIR/);
    const path = join(folder, "config.json");
    await writeFile(path, '{"num_ctx": 1}');
    await expect(readConfigFile(path)).rejects.toThrow(`${path}:1: "num_ctx" expects`);
  });
});
