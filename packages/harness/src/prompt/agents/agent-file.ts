/** Parses an agent file: Markdown with settings in the front matter and the agent's instructions below. */
import type { PermissionMode } from "@localharness/protocol";
import { defined, permissionModes, suggestion } from "@localharness/protocol";
import { readFrontMatter } from "../front-matter.ts";

export interface AgentFile {
  readonly name: string;
  readonly description: string;
  /** The agent's own instructions. In the prompt they follow the instructions for all agents. */
  readonly instructions: string;
  readonly tools?: readonly string[];
  readonly model?: string;
  readonly mode?: PermissionMode;
  readonly iterations?: number;
}

const keys = ["name", "description", "tools", "model", "max_iterations", "mode"];
const maxIterations = 200;
const maxDescriptionChars = 500;

/**
 * Returns the agent, or an error message for an invalid file. If the front matter has no `name`, the agent gets the name of
 * the file without `.md`.
 */
export function readAgentFile(text: string, fileName: string): AgentFile | string {
  const read = readFrontMatter(text);
  if (!read.ok) return `line ${read.line}: ${read.problem}`;
  const { values, body } = read;
  const foreign = Object.keys(values).find((key) => !keys.includes(key));
  if (foreign !== undefined) return `unknown key "${foreign}".${suggestion(foreign, keys)}`;
  const single = keys.find((key) => key !== "tools" && Array.isArray(values[key]));
  if (single !== undefined) return `"${single}" expects text`;
  const value = (key: string) => {
    const given = values[key];
    return typeof given === "string" && given !== "" ? given : undefined;
  };
  const name = value("name") ?? fileName.replace(/\.md$/, "");
  if (!/^[a-z0-9][a-z0-9_-]{0,39}$/i.test(name)) {
    return `"name" expects up to 40 letters, digits, - or _, got ${JSON.stringify(name.slice(0, 60))}`;
  }
  const description = value("description");
  if (description === undefined || description.length > maxDescriptionChars) {
    return `"description" expects up to ${maxDescriptionChars} characters that say what the agent is for`;
  }
  if (body.trim() === "") return "there is no text below the front matter: expected the agent's instructions";
  const mode = permissionModes.find((one) => one === value("mode"));
  if (value("mode") !== undefined && mode === undefined) {
    return `"mode" expects one of ${permissionModes.join(", ")}`;
  }
  const iterations = value("max_iterations");
  if (iterations !== undefined && !(/^\d{1,4}$/.test(iterations) && inRange(Number(iterations)))) {
    return `"max_iterations" expects a whole number from 1 to ${maxIterations}`;
  }
  const tools = toolNames(values["tools"]);
  const odd = tools?.find((tool) => !/^[\w-]+$/.test(tool));
  if (odd !== undefined) return `"tools" expects names of tools, got ${JSON.stringify(odd.slice(0, 60))}`;
  const model = value("model");
  return {
    name,
    description,
    instructions: body.trim(),
    ...defined({ tools, model, mode }),
    ...(iterations === undefined ? {} : { iterations: Number(iterations) }),
  };
}

function inRange(count: number): boolean {
  return count >= 1 && count <= maxIterations;
}

/** Returns the tool names of a comma-separated text or a list. */
function toolNames(given: string | readonly string[] | undefined): readonly string[] | undefined {
  if (given === undefined) return undefined;
  const names = typeof given === "string" ? given.split(",") : given;
  return names.map((name) => name.trim()).filter((name) => name !== "");
}
