/** Checks the precedence of settings: options override the environment, the environment overrides the file. */
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cacheFolder, configFolder, stateFolder } from "../../src/config/location.ts";
import { loadSettings } from "../../src/config/settings.ts";

async function home(config: object): Promise<NodeJS.ProcessEnv> {
  const folder = await mkdtemp(join(tmpdir(), "lh-settings-"));
  await mkdir(join(folder, "localharness"));
  await writeFile(join(folder, "localharness", "config.json"), JSON.stringify(config));
  return { XDG_CONFIG_HOME: folder };
}

describe("loadSettings", () => {
  test("an option goes before the environment, the environment before the file", async () => {
    const env = await home({ model: "file", num_ctx: 4096, mode: "plan" });
    const both = { ...env, LOCALHARNESS_MODEL: "env", LOCALHARNESS_NUM_CTX: "8192" };
    const settings = await loadSettings({ model: "option" }, both);
    expect(settings.values).toEqual({ model: "option", num_ctx: 8192, mode: "plan" });
    expect(settings.origins).toEqual({
      model: "--model",
      num_ctx: "LOCALHARNESS_NUM_CTX",
      mode: "config.json",
    });
  });

  test("a provider from above does not take over the model and host of the one below", async () => {
    const env = await home({ provider: "ollama", model: "qwen3:8b", host: "http://a:1" });
    const settings = await loadSettings({ provider: "xai" }, env);
    expect(settings.values).toEqual({ provider: "xai" });
    const same = await loadSettings({ provider: "ollama" }, env);
    expect(same.values).toEqual({ provider: "ollama", model: "qwen3:8b", host: "http://a:1" });
  });

  test("texts of the environment are typed and checked", async () => {
    const env = { ...(await home({})), LOCALHARNESS_THINKING: "true", LOCALHARNESS_TOOLS: "ls, bash" };
    expect((await loadSettings({}, env)).values).toEqual({ thinking: true, tools: ["ls", "bash"] });
    await expect(loadSettings({}, { ...env, LOCALHARNESS_NUM_CTX: "many" })).rejects.toThrow(
      'LOCALHARNESS_NUM_CTX expects a whole number from 256 to 16777216, got "many"',
    );
  });
});

describe("folders", () => {
  const atHome = ["/h/.config/localharness", "/h/.local/state/localharness", "/h/.cache/localharness"];
  const cases: [NodeJS.ProcessEnv, readonly string[]][] = [
    [{ HOME: "/h" }, atHome],
    [
      { HOME: "/h", XDG_CONFIG_HOME: "/x", XDG_STATE_HOME: "/s", XDG_CACHE_HOME: "/c" },
      ["/x/localharness", "/s/localharness", "/c/localharness"],
    ],
    [{ HOME: "/h", XDG_CONFIG_HOME: "x", XDG_STATE_HOME: "", XDG_CACHE_HOME: "c" }, atHome],
  ];
  test.each(cases)("of %j", (env, folders) => {
    expect([configFolder(env), stateFolder(env), cacheFolder(env)]).toEqual(folders);
  });

  test("without HOME the account's folder is used", () => {
    expect(configFolder({})).toMatch(/^\/.*\/\.config\/localharness$/);
  });
});
