/** Other harnesses with a screen, if installed, configured for the scripted server. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { PtyProgram } from "./pty.ts";

export interface TerminalPeer {
  readonly name: string;
  readonly program: PtyProgram;
  prepare(home: string): void;
}

/** Looks for each harness as `folder/NAME/node_modules/.bin/PROGRAM`. */
export function terminalPeers(folder: string | undefined, baseUrl: string): readonly TerminalPeer[] {
  const bin = (name: string) => join(folder ?? "", name, "node_modules/.bin", name);
  return [pi(bin("pi"), baseUrl)].filter(({ program }) => folder !== undefined && existsSync(program.file));
}

function pi(file: string, baseUrl: string): TerminalPeer {
  const models = [{ id: "fake-model", contextWindow: 131_072, maxTokens: 8_192 }];
  const providers = { fake: { baseUrl, api: "openai-completions", apiKey: "x", models } };
  return {
    name: "pi",
    program: {
      file,
      args: ["--provider", "fake", "--model", "fake-model"],
      env: { PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" },
    },
    prepare(home) {
      const path = join(home, ".pi/agent/models.json");
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, JSON.stringify({ providers }));
    },
  };
}
