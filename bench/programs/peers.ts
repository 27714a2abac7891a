/** Other harnesses, if installed: how each is configured for the scripted server and started unattended. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { modelName } from "../fake-model/catalog.ts";
import type { Program, SelfDescription, Wire } from "./program.ts";

interface Peer {
  readonly bin: string;
  readonly wire: Wire;
  /** Files to write to the home folder, by their path in it. */
  files?(serverUrl: string, contextWindow: number): Record<string, string | object>;
  /** The arguments of a setup command that has to run once. */
  setUp?(serverUrl: string): readonly string[];
  env?(serverUrl: string): Record<string, string>;
  args(prompt: string): readonly string[];
}

const peers: Readonly<Record<string, Peer>> = {
  pi: {
    bin: "pi",
    wire: "openai",
    files: (url, contextWindow) => ({
      ".pi/agent/models.json": {
        providers: {
          fake: {
            baseUrl: `${url}/v1`,
            api: "openai-completions",
            apiKey: "x",
            models: [{ id: modelName, contextWindow, maxTokens: 8192 }],
          },
        },
      },
    }),
    env: () => ({ PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" }),
    args: (prompt) => ["--provider", "fake", "--model", modelName, "-p", prompt],
  },
  codex: {
    bin: "codex",
    wire: "responses",
    files: (url) => ({
      ".codex/config.toml": [
        `model = "${modelName}"`,
        `model_provider = "fake"`,
        "check_for_update_on_startup = false",
        "[analytics]\nenabled = false",
        "[feedback]\nenabled = false",
        `[model_providers.fake]\nname = "fake"\nbase_url = "${url}/v1"\nwire_api = "responses"\n`,
      ].join("\n"),
    }),
    args: (prompt) => ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", prompt],
  },
  opencode: {
    bin: "opencode",
    wire: "openai",
    files: (url, context) => ({
      ".config/opencode/opencode.json": {
        provider: {
          fake: {
            npm: "@ai-sdk/openai-compatible",
            name: "fake",
            options: { baseURL: `${url}/v1`, apiKey: "x" },
            models: {
              [modelName]: { name: "fake", tool_call: true, limit: { context, output: 8192 } },
            },
          },
        },
        model: `fake/${modelName}`,
        small_model: `fake/${modelName}`,
        autoupdate: false,
        share: "disabled",
        permission: "allow",
      },
    }),
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" }),
    args: (prompt) => ["run", "--auto", "-m", `fake/${modelName}`, prompt],
  },
  gemini: {
    bin: "gemini",
    wire: "gemini",
    files: () => ({
      ".gemini/settings.json": {
        security: { auth: { selectedType: "gemini-api-key" } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { enableAutoUpdate: false },
      },
    }),
    env: (url) => ({ GEMINI_API_KEY: "x", GOOGLE_GEMINI_BASE_URL: url }),
    args: (prompt) => ["-m", "gemini-2.5-flash", "--yolo", "--skip-trust", "-p", prompt],
  },
  qwen: {
    bin: "qwen",
    wire: "openai",
    files: (_url, contextWindowSize) => ({
      ".qwen/settings.json": {
        model: { generationConfig: { contextWindowSize } },
        security: { auth: { selectedType: "openai" } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { enableAutoUpdate: false },
      },
    }),
    env: (url) => ({ OPENAI_API_KEY: "x", OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: modelName }),
    args: (prompt) => ["--auth-type", "openai", "-m", modelName, "--yolo", "-p", prompt],
  },
  cline: {
    bin: "cline",
    wire: "openai",
    setUp: (url) => ["auth", "-p", "openai-compatible", "-k", "x", "-m", modelName, "-b", `${url}/v1`],
    env: () => ({ CLINE_NO_AUTO_UPDATE: "1", CLINE_TELEMETRY_DISABLED: "1" }),
    args: (prompt) => ["-P", "openai-compatible", "-m", modelName, prompt],
  },
};

export interface FoundPeers {
  readonly programs: readonly Program[];
  readonly selves: readonly SelfDescription[];
  /** Names of the harnesses that are not installed. */
  readonly absent: readonly string[];
}

/** Looks for each harness as `folder/NAME/node_modules/.bin/PROGRAM`. */
export function findPeers(folder: string | undefined): FoundPeers {
  const binOf = (name: string, peer: Peer) => join(folder ?? "", name, "node_modules/.bin", peer.bin);
  const found = Object.entries(peers).filter(
    ([name, peer]) => folder !== undefined && existsSync(binOf(name, peer)),
  );
  return {
    programs: found.map(([name, peer]) => asProgram(name, peer, binOf(name, peer))),
    selves: found.map(([name, peer]) => ({
      name,
      version: { file: binOf(name, peer), args: ["--version"] },
      help: { file: binOf(name, peer), args: ["--help"] },
    })),
    absent: Object.keys(peers).filter((name) => !found.some(([present]) => present === name)),
  };
}

function asProgram(name: string, peer: Peer, file: string): Program {
  return {
    name: `${name}, ${peer.wire}`,
    kind: "peer",
    wire: peer.wire,
    absolutePaths: true,
    prepare(home, serverUrl, contextWindow = 131_072) {
      for (const [place, content] of Object.entries(peer.files?.(serverUrl, contextWindow) ?? {})) {
        mkdirSync(dirname(join(home, place)), { recursive: true });
        writeFileSync(join(home, place), typeof content === "string" ? content : JSON.stringify(content));
      }
      const setUp = peer.setUp?.(serverUrl);
      if (setUp !== undefined) {
        mkdirSync(home, { recursive: true });
        const env = { HOME: home, PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };
        execFileSync(file, [...setUp], { env, stdio: "ignore", timeout: 60_000 });
      }
    },
    prompt: ({ prompt, serverUrl }) => ({ file, args: peer.args(prompt), env: peer.env?.(serverUrl) ?? {} }),
  };
}
