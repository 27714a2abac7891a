/** Files that instruct or set up agents. */
import { anyOf, wordsPattern } from "../../patterns.ts";
import { data, named, type ProtectedRow, script } from "./row.ts";

export const agentRows: readonly ProtectedRow[] = [
  {
    names: `agents.md agents.override.md agent.md claude.md claude.local.md gemini.md qwen.md crush.md warp.md codex.md iflow.md
      codebuddy.md replit.md skill.md .instructions.md .github/copilot-instructions.md .github/instructions .github/prompts
      .github/chatmodes .github/agents .github/skills`,
    reason: "agents obey it as instructions in every later session",
    common: true,
  },
  {
    names: "opencode.json opencode.jsonc crush.json mcp.json gptme.toml firebender.json",
    reason: "it sets up an agent: its rules, tools and the programs that it starts",
    common: true,
  },
  {
    names: `.localharness .claude .cursor .codex .gemini .windsurf .continue .opencode .kiro .roo .roomodes .clinerules
      .amazonq .junie .qwen .augment .trae .crush .crush.json .goosehints .agents .factory .rules .windsurfrules
      .cursorrules .aider.conf.yml .mcp.json .openhands .goose .cline .kilocode .amp .agent .antigravity .qoder`,
    // Names of agents that fewer people use are not held in the sandbox, where each held name costs a placeholder.
    family: anyOf(
      wordsPattern(
        String.raw`^\.`,
        `ampcode codebuddy iflow lingma zencoder firebender devin jules tabnine cody copilot codeium
    supermaven qodo sourcegraph`,
        "$",
      ),
      /^\.(?:ruler|rulesync|plandex.*|grok|vibe|kimi|mentat.*|pearai|void|gptme|forge|swarm|droid|openhands_\w+)$/,
      /^\.(?:\w+rules(?:[.-].+)?|\w+modes|\w+hints|aider\..+\.(?:ya?ml|json|md))$/,
      named("continuerc aiderrc", `${script}|${data}`),
    ),
    reason: "it sets up an agent: its instructions, rules, hooks and the programs that it starts",
  },
];
