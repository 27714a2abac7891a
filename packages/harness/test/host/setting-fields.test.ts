/** Checks how the settings editor lists and changes settings. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWriteJournal } from "@localharness/workspace/files/write-journal";
import { describe, expect, onTestFinished, test } from "vitest";
import { fields } from "../../src/config/fields.ts";
import { loadSettings } from "../../src/config/settings.ts";
import { changeSettingField, listSettingFields } from "../../src/host/setting-fields.ts";

function open(config: object) {
  const root = mkdtempSync(join(tmpdir(), "settings-"));
  const folder = join(root, "localharness");
  mkdirSync(folder);
  const path = join(folder, "config.json");
  writeFileSync(path, JSON.stringify(config));
  const journal = createWriteJournal(root);
  onTestFinished(() => {
    journal.close();
    rmSync(root, { recursive: true, force: true });
  });
  return {
    load: (env = {}) => loadSettings({}, { XDG_CONFIG_HOME: root, ...env }),
    change: (key: string, value: string | undefined) => changeSettingField(folder, journal, key, value),
    read: () => JSON.parse(readFileSync(path, "utf8")),
  };
}

test("each setting with its value, where that comes from, what is right, and the short lists", async () => {
  const { load } = open({ num_ctx: 8_192, tools: ["ls", "bash"] });
  const listed = await listSettingFields(await load({ LOCALHARNESS_NUM_CTX: "4096" }));
  expect(listed.map(({ key }) => key)).toEqual(fields.map(({ key }) => key));
  const of = (key: string) => listed.find((field) => field.key === key);
  expect(of("num_ctx")).toMatchObject({ value: "4096", origin: "LOCALHARNESS_NUM_CTX" });
  expect(of("tools")).toMatchObject({ value: "ls, bash", origin: "config.json" });
  expect(of("theme")).toMatchObject({
    value: undefined,
    origin: "",
    choices: expect.arrayContaining(["dark"]),
  });
  expect(of("mode")?.about).toContain("LOCALHARNESS_MODE or --mode");
});

test("the password of an address is not shown, but there to be edited", async () => {
  const host = "http://me:hunter2@127.0.0.1:1/v1";
  const { load } = open({ host, model: "m" });
  const listed = await listSettingFields(await load());
  const of = (key: string) => listed.find((field) => field.key === key);
  expect(of("host")).toMatchObject({ value: host, shown: "http://****@127.0.0.1:1/v1" });
  expect(of("model")).not.toHaveProperty("shown");
});

describe("a change", () => {
  const cases: readonly (readonly [key: string, value: string | undefined, kept: object])[] = [
    ["num_ctx", "8192", { num_ctx: 8_192 }],
    ["thinking", "true", { thinking: true }],
    ["screen_reader", "false", { screen_reader: false }],
    ["price_input", "0.25", { price_input: 0.25 }],
    ["tools", "ls, bash", { tools: ["ls", "bash"] }],
    ["tools", "all", { tools: "all" }],
    ["sandbox_domains", "*.example.com, example.org", { sandbox_domains: ["*.example.com", "example.org"] }],
    ["limits.calls_per_iteration", "3", { limits: { calls_per_iteration: 3 } }],
    ["model", "****", { model: "****" }],
    ["mode", undefined, {}],
    [
      "hooks",
      '[{"event":"turn-end","command":["/bin/true"]}]',
      { hooks: [{ event: "turn-end", command: ["/bin/true"] }] },
    ],
  ];
  test.each(cases)("of %s to %s is kept, and read again at the next start", async (key, value, kept) => {
    const { change, read, load } = open({ mode: "plan" });
    expect(await change(key, value)).toBeUndefined();
    expect(read()).toEqual(key === "mode" ? {} : { mode: "plan", ...kept });
    const listed = await listSettingFields(await load());
    expect(listed.find((field) => field.key === key)?.value).toBe(value);
  });

  test.each([
    ["num_ctx", "12", '"num_ctx" expects a whole number from 256'],
    ["hooks", "[{", '"hooks" expects'],
    ["theme", "pink", '"theme" expects one of auto, dark'],
    ["them", "dark", 'there is no setting "them". Did you mean theme?'],
    ["price_input", "-1", '"price_input" expects a number such as 0.25'],
    ["host", "http://****@127.0.0.1:1/v1", "**** stands for a part that is not shown"],
    ["host", "http://me:****@127.0.0.1:1/v2", "**** stands for a part that is not shown"],
    ["web_search_url", "http://localhost:1/?key=****&page=1", "**** stands for a part that is not shown"],
    ["hooks", '[{"event":"turn-end","command":["/bin/post","http://****@b/"]}]', "**** stands for a part"],
  ])("of %s to %s is refused with why, and changes nothing", async (key, value, why) => {
    const { change, read } = open({ mode: "plan" });
    expect(await change(key, value)).toContain(why);
    expect(read()).toEqual({ mode: "plan" });
  });
});
