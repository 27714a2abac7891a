/** `run_agent`: gives a task to an agent, which works in a separate transcript with its own prompt and a set of tools. */
import {
  type DelegatedEnd,
  defineTool,
  failed,
  type Model,
  type Tool,
  type ToolContext,
  type ToolOutput,
} from "@localharness/engine";
import { countText, defined, type JsonObject, type PermissionMode, reasonOf } from "@localharness/protocol";

/** An agent that can be given a task. */
export interface Agent {
  readonly name: string;
  /** The purpose of the agent, by which the model chooses it. */
  readonly description: string;
  readonly systemPrompt: string;
  /** The names of the agent's tools; by default the read-only tools of the session. */
  readonly tools?: readonly string[];
  readonly mode?: PermissionMode;
  readonly iterations?: number;
  /** Returns a model other than the session's. Rejects with a message for the calling model. */
  model?(): Promise<Model>;
}

export interface RunAgentOptions {
  /** The agents, at least one; the first is the default. */
  readonly agents: readonly Agent[];
  /** True if no agent has a tool that changes something, so that several may run in parallel. */
  readonly readOnly: boolean;
  /** Returns the report, cut to the maximum length of a result. */
  cut(report: string): string;
}

/**
 * The time limit of a task. It is a day, because each model call and tool call has a limit, and a question may wait for
 * the person.
 */
const timeoutMs = 24 * 60 * 60 * 1_000;
/** The milliseconds that an agent has to stop. They are more than the two seconds that a tool of the agent may need. */
const graceMs = 4_000;
const maxTaskChars = 100_000;

export function runAgent({ agents, readOnly, cut }: RunAgentOptions): Tool {
  const list = agents.map(({ name, description }) => `- ${name}: ${description}`).join("\n");
  return defineTool({
    name: "run_agent",
    description: `Gives a task to an agent that works by itself and reports back. It knows nothing of this conversation: put all that it needs into the task. Agents:\n${list}`,
    aliases: ["task", "agent", "subagent", "spawn_agent", "delegate"],
    parameters: {
      type: "object",
      properties: {
        task: { type: "string", description: "what to do, and what to report" },
        agent: { type: "string", enum: agents.map(({ name }) => name) },
      },
      required: ["task"],
    },
    parameterAliases: {
      task: ["prompt", "instructions", "message"],
      agent: ["subagent_type", "agent_name", "name", "agent_type"],
    },
    // A file may define an agent.
    foreign: true,
    risk: "safe",
    readOnly,
    timeoutMs,
    graceMs,
    async execute(args, context) {
      const chosen = agents.find(({ name }) => name === args["agent"]) ?? agents[0];
      if (chosen === undefined) return failed("not_found", "there is no agent. Do the task yourself.");
      return work(chosen, taskOf(args), context, cut);
    },
  });
}

function taskOf(args: JsonObject): string {
  return String(args["task"]);
}

async function work(
  agent: Agent,
  task: string,
  context: ToolContext,
  cut: RunAgentOptions["cut"],
): Promise<ToolOutput> {
  if (task.trim() === "") {
    return failed("validation_failed", 'the task is empty. Say in "task" what the agent must do.');
  }
  if (task.length > maxTaskChars) {
    const message = `the task has ${countText(task.length, "character")}, at most ${maxTaskChars} are taken. Name files instead of quoting them.`;
    return failed("validation_failed", message);
  }
  if (context.delegate === undefined) {
    return failed("validation_failed", "an agent can only be started by a session. Do the task yourself.");
  }
  let model: Model | undefined;
  try {
    model = await agent.model?.();
  } catch (error) {
    return failed("not_found", `the model of the agent ${agent.name} is not available: ${reasonOf(error)}`);
  }
  const { name, systemPrompt, tools, mode, iterations } = agent;
  const done = await context.delegate({
    agent: name,
    task,
    systemPrompt,
    ...defined({ tools, model, mode, maxIterations: iterations }),
  });
  return report(name, done, cut);
}

function report(name: string, done: DelegatedEnd, cut: RunAgentOptions["cut"]): ToolOutput {
  const { end, iterations, toolCalls, inputTokens, outputTokens, achieved } = done;
  const answer = cut(done.answer.trim());
  const tokens = inputTokens + outputTokens === 0 ? "" : `, ${inputTokens} + ${outputTokens} tokens`;
  const cost = `[agent ${name}: ${countText(iterations, "iteration")}, ${countText(toolCalls, "tool call")}${tokens}]`;
  const data = answer === "" ? cost : `${answer}\n\n${cost}`;
  if (end.reason === "interrupted") return failed("cancelled", `the agent ${name} was interrupted`, data);
  if (end.reason === "error") {
    return failed("io_error", `the agent ${name} ended with an error: ${end.message ?? "unknown"}`, data);
  }
  if (answer === "") {
    return failed(
      "io_error",
      `the agent ${name} ended without a report (${endings[end.reason]}). Give it a smaller task, or do it yourself.`,
      data,
    );
  }
  if (end.reason === "done") return { ok: true, data, achieved };
  return { ok: true, data, achieved, notes: [`the agent did not finish: ${endings[end.reason]}`] };
}

const endings = {
  done: "it said nothing",
  "iteration-limit": "it reached its limit of iterations",
  loop: "it made the same calls again and again",
} as const;
