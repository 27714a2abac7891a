/**
 * Decides on command lines as the program does for a person who has allowed two programs by rules, has remembered two
 * commands, and has answered `session` to read-only calls.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPolicy, type PolicyRule, policyQuestion } from "@localharness/engine";
import { createTools, openToolResources } from "@localharness/tools";

export interface AllowedCalls {
  readonly calls: readonly (readonly string[])[];
  /** True if patterns were replaced by the names of files. */
  readonly byPatterns: boolean;
}

export interface Judge {
  /** Resolves to the calls of the line if it runs unasked; undefined if it is asked about or denied. */
  allowedCalls(line: string): Promise<AllowedCalls | undefined>;
  /** The names in the workspace, for patterns. */
  readonly files: readonly string[];
  /** Resolves to true if a command counts as read-only. */
  looksOnly(line: string): Promise<boolean>;
  /** Resolves to the scope of a remembered answer to the line; undefined if it would hold for one call only. */
  answerScope(line: string): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Creates a folder with a repository and a package, for lines that are only judged. */
export function judgeFolder(): string {
  const folder = join(mkdtempSync(join(tmpdir(), "fuzz-judge-")), "ws");
  mkdirSync(folder);
  writeFileSync(join(folder, "f.txt"), "needle\n");
  writeFileSync(join(folder, "package.json"), '{"scripts":{"test":"true"}}');
  spawnSync("git", ["init", "-q", "."], { cwd: folder });
  return folder;
}

/** Opens a judge for a workspace. Closing it removes the folder that contains the workspace. */
export async function openJudge(workspace: string): Promise<Judge> {
  const place = join(workspace, "..");
  const resources = await openToolResources({ workspace, stateFolder: join(place, "state") });
  const bash = createTools(resources).find((tool) => tool.name === "bash");
  if (bash === undefined) throw new Error("there is no tool named bash");
  const around = { mode: "default", workspace } as const;
  const ask = (command: string) => policyQuestion(bash, { command }, around);
  const scopes = await Promise.all(["git status", "npm test"].map(async (text) => (await ask(text)).scope));
  const policy = createPolicy([
    ...["alpha", "beta"].map((name) => ({ ...rule(name), command: [name, "*"] })),
    ...scopes.map((scope) => ({ ...rule("remembered"), scope })),
  ]);
  return {
    files: readdirSync(workspace),
    async allowedCalls(line) {
      const question = await ask(line);
      // Decides as after a `session` answer to read-only calls.
      const answered = question.readOnly ? { ...question, risk: "safe" as const } : question;
      if (policy.decide(answered).decision !== "allow") return undefined;
      const { calls, callsByPatterns } = question.facts.command ?? {};
      return { calls: calls ?? callsByPatterns ?? [], byPatterns: calls === undefined };
    },
    looksOnly: async (line) => (await ask(line)).readOnly,
    async answerScope(line) {
      const { scope, facts } = await ask(line);
      return facts.rememberable === true ? scope : undefined;
    },
    async close() {
      await resources.close();
      rmSync(place, { recursive: true, force: true });
    },
  };
}

function rule(id: string): PolicyRule {
  return { id, decision: "allow", justification: "for the fuzz", tool: "bash" };
}
