/** An agent as a person writes it: Markdown, with who it is in the head and what it is told below. */
import type { PermissionMode } from "@localharness/protocol";
import { suggestion } from "@localharness/protocol";
import { readFrontMatter } from "../front-matter.ts";

export interface AgentFile {
  readonly name: string;
  readonly description: string;
  /** What it is told, below what every agent is told. */
  readonly instructions: string;
  readonly tools?: readonly string[];
  readonly model?: string;
  readonly mode?: PermissionMode;
  readonly iterations?: number;
}

const keys = ["name", "description", "tools", "model", "max_iterations", "mode"];
const modes: readonly PermissionMode[] = ["default", "plan", "accept-edits", "bypass"];
const mostIterations = 200;
const longestDescription = 500;

/** The agent, or what is wrong with the file. `fileName` gives the name where the head has none. */
export function readAgentFile(text: string, fileName: string): AgentFile | string {
  const read = readFrontMatter(text);
  if (!read.ok) return `line ${read.line}: ${read.problem}`;
  const { values, body } = read;
  const foreign = Object.keys(values).find((key) => !keys.includes(key));
  if (foreign !== undefined) return `unknown key "${foreign}".${suggestion(foreign, keys)}`;
  const single = keys.find((key) => key !== "tools" && Array.isArray(values[key]));
  if (single !== undefined) return `"${single}" expects a text`;
  const value = (key: string) => {
    const given = values[key];
    return typeof given === "string" && given !== "" ? given : undefined;
  };
  const name = value("name") ?? fileName.replace(/\.md$/, "");
  if (!/^[a-z0-9][a-z0-9_-]{0,39}$/i.test(name))
    return `"name" expects up to 40 letters, digits, - or _, got ${JSON.stringify(name.slice(0, 60))}`;
  const description = value("description");
  if (description === undefined || description.length > longestDescription)
    return `"description" expects up to ${longestDescription} characters on what the agent is for`;
  if (body.trim() === "") return "there is no text below the head: it is what the agent is told";
  const mode = modes.find((one) => one === value("mode"));
  if (value("mode") !== undefined && mode === undefined) return `"mode" expects one of ${modes.join(", ")}`;
  const iterations = value("max_iterations");
  if (iterations !== undefined && !(/^\d{1,4}$/.test(iterations) && inRange(Number(iterations))))
    return `"max_iterations" expects a whole number from 1 to ${mostIterations}`;
  const tools = toolNames(values["tools"]);
  const odd = tools?.find((tool) => !/^[\w-]+$/.test(tool));
  if (odd !== undefined) return `"tools" expects names of tools, got ${JSON.stringify(odd.slice(0, 60))}`;
  const model = value("model");
  return {
    name,
    description,
    instructions: body.trim(),
    ...(tools === undefined ? {} : { tools }),
    ...(model === undefined ? {} : { model }),
    ...(mode === undefined ? {} : { mode }),
    ...(iterations === undefined ? {} : { iterations: Number(iterations) }),
  };
}

function inRange(count: number): boolean {
  return count >= 1 && count <= mostIterations;
}

/** Names with commas, or a list of them. */
function toolNames(given: string | readonly string[] | undefined): readonly string[] | undefined {
  if (given === undefined) return undefined;
  const names = typeof given === "string" ? given.split(",") : given;
  return names.map((name) => name.trim()).filter((name) => name !== "");
}
