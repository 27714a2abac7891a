/** Checks the JSON Schema of config.json against the table of settings, as an editor would use it. */
import { defaultLimits } from "@localharness/engine";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { checkConfig } from "../../src/config/config-file.ts";
import { configSchema } from "../../src/config/config-schema.ts";
import { defaultOf, fields } from "../../src/config/fields.ts";
import { limitsOf, sharesOf } from "../../src/config/limits.ts";

const isValid = new Ajv2020({ allowUnionTypes: true }).compile(configSchema());

const right: readonly object[] = [
  {},
  {
    $schema: "settings.schema.json",
    model: "qwen3:8b",
    num_ctx: 32_768,
    limits: { iterations_per_turn: 20 },
  },
  { thinking: true, keep_alive: -1, screen_reader: false, price_input: 0.25, mode: "plan" },
  { thinking: "low", keep_alive: "10m", tools: ["standard", "-bash"], shares: { result: 10 } },
  {
    tools: "all",
    web_search_url: "http://localhost:8888",
    sandbox_domains: ["*.Example.com", "localhost:1"],
  },
  { sampling: { "*": { temperature: 0.6, top_k: 20 } }, profiles: { m: { edits: "lines", nudges: 2 } } },
  { hooks: [{ event: "turn-end", command: ["/bin/true"], timeout: 1, required: true }] },
];

test.each(right)("the schema and the program take %j", (config) => {
  expect(isValid(config)).toBe(true);
  expect(checkConfig(JSON.stringify(config)).problems).toEqual([]);
});

const wrong: readonly object[] = [
  { modle: "x" },
  { model: "" },
  { num_ctx: 12 },
  { num_ctx: "big" },
  { mode: "yolo" },
  { thinking: "much" },
  { keep_alive: "soon" },
  { limits: { calls: 1 } },
  { limits: { calls_per_iteration: 0 } },
  { tools: [] },
  { price_input: -1 },
  { web_search_url: "ftp://a" },
  { sandbox_domains: ["a b"] },
  { sampling: { m: { heat: 1 } } },
  { sampling: { m: { top_p: 2 } } },
  { profiles: { m: { edits: "words" } } },
  { hooks: [{ event: "turn-end" }] },
  { hooks: [{ event: "before-tool", command: ["x"], when: "now" }] },
];

test.each(wrong)("the schema and the program refuse %j", (config) => {
  expect(isValid(config)).toBe(false);
  expect(checkConfig(JSON.stringify(config)).problems).toHaveLength(1);
});

test("every default and every choice is a valid value", () => {
  for (const field of fields) {
    const values = [defaultOf(field), ...(field.choices ?? []).map((choice) => field.read(choice))];
    for (const value of values.filter((one) => one !== undefined)) {
      const [outer = "", inner] = field.key.split(".");
      const config = { [outer]: inner === undefined ? value : { [inner]: value } };
      expect({ config, valid: isValid(config) }).toEqual({ config, valid: true });
    }
  }
});

test("a limit has one name as a setting, in the engine and as an option", () => {
  const limits = fields.filter(({ key }) => key.startsWith("limits."));
  for (const { key, option } of limits) {
    if (option !== undefined) expect(`limits.${option.name.replaceAll("-", "_")}`).toBe(key);
  }
  const values = Object.fromEntries(limits.map(({ key }, index) => [key, index + 1]));
  const withoutSetting = ["nudgesPerTurn", "callsPerMinuteByTool"];
  const names = Object.keys(defaultLimits).filter((name) => !withoutSetting.includes(name));
  expect(Object.keys(limitsOf(values)).toSorted()).toEqual(names.toSorted());
  expect(limitsOf({ "limits.calls_per_iteration": 3 })).toEqual({ callsPerIteration: 3 });
  expect(sharesOf({ "shares.system_prompt": 3 })).toMatchObject({ systemPrompt: 3, tools: 20 });
});
