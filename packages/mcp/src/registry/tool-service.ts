/** Provides a registry of tools for programs that use this library. Tools and results have MCP's shape. */
import {
  createRegistry,
  HarnessError,
  type ParametersSchema,
  systemClock,
  type Tool,
  type ToolRegistry,
  toResult,
} from "@localharness/engine";
import { isJsonObject, type JsonObject, reasonOf } from "@localharness/protocol";
import { readTools } from "../tools/listed-tool.ts";
import { resultOutput } from "../tools/result-output.ts";
import { type CallResult, toCallResult } from "./call-result.ts";

export {
  type CallResult,
  type ContentPart,
  fromCallResult,
  type ReceivedResult,
  toCallResult,
} from "./call-result.ts";

/** The description of a tool in MCP's shape. */
export interface ToolListing {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ParametersSchema;
}

/** A tool in MCP's shape, with the function that runs it. */
export interface McpTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  /** Runs the tool. An exception becomes a result with `isError`. */
  execute(args: JsonObject, signal: AbortSignal): Promise<CallResult> | CallResult;
}

export interface ToolService {
  /**
   * Adds a tool in MCP's shape or a tool of the harness. Throws a `HarnessError` if its name is taken or invalid, or if its
   * schema cannot be used.
   */
  registerTool(tool: McpTool | Tool): void;
  /** Removes a tool. Returns false if there is no tool of that name. */
  unregisterTool(name: string): boolean;
  listTools(): readonly ToolListing[];
  /**
   * Checks the arguments and runs the tool, without asking for permission. Never rejects: an invalid call or a failure
   * gives a result with `isError`.
   */
  executeTool(name: string, params: unknown, signal?: AbortSignal): Promise<CallResult>;
  /** Returns true if the tool exists and the arguments fit its schema, perhaps after they are converted. */
  validateToolInput(name: string, params: unknown): boolean;
  /** The same tools for a session. The session asks before it runs a tool in MCP's shape. */
  readonly registry: ToolRegistry;
}

/** Creates a service with these tools. */
export function createToolService(tools: readonly (McpTool | Tool)[] = []): ToolService {
  const registry = createRegistry();
  /** The tools in MCP's shape. Their results are passed on unchanged. */
  const own = new Map<string, McpTool>();

  const service: ToolService = {
    registry,
    registerTool(tool) {
      if ("parameters" in tool) return registry.register(tool);
      registry.register(asTool(tool));
      own.set(tool.name, tool);
    },
    unregisterTool(name) {
      own.delete(name);
      return registry.unregister(name);
    },
    listTools: () =>
      registry
        .definitions()
        .map(({ name, description, parameters }) => ({ name, description, inputSchema: parameters })),
    async executeTool(name, params, signal = new AbortController().signal) {
      const checked = registry.validateInput(name, asInput(params));
      if (!checked.ok) return failure(checked.message);
      const found = registry.find(name)?.tool;
      const tool = found === undefined ? undefined : own.get(found.name);
      if (tool !== undefined) return run(tool, checked.arguments, signal);
      const started = systemClock.monotonic();
      const output = await registry.execute(name, checked.arguments, {
        callId: name,
        signal,
        report: () => undefined,
      });
      return toCallResult(toResult(output, systemClock, systemClock.monotonic() - started));
    },
    validateToolInput: (name, params) => registry.validateInput(name, asInput(params)).ok,
  };
  for (const tool of tools) service.registerTool(tool);
  return service;
}

/**
 * Returns the arguments as the registry takes them: null, which means no arguments, for undefined and null; an object as it
 * is; any other value as text. The registry refuses text that is not the JSON of an object, unless it is empty or `null`.
 */
function asInput(params: unknown): JsonObject | string | null {
  if (params === undefined || params === null) return null;
  if (isJsonObject(params)) return params;
  if (typeof params === "string") return params;
  try {
    return JSON.stringify(params) ?? typeof params;
  } catch {
    return `${typeof params} that JSON cannot hold`;
  }
}

function asTool(tool: McpTool): Tool {
  const { name, description, inputSchema } = tool;
  const read = readTools([{ name, description: description ?? "", inputSchema }]);
  const [listed] = read.tools;
  if (listed === undefined) throw new HarnessError("tool-invalid", read.problems.join("; "));
  return {
    name,
    description: listed.description,
    parameters: listed.parameters,
    risk: "medium",
    readOnly: false,
    async execute(args, { signal }) {
      const result = await run(tool, args, signal);
      return resultOutput(result as unknown as JsonObject, name, (text) => text);
    },
  };
}

async function run(tool: McpTool, args: JsonObject, signal: AbortSignal): Promise<CallResult> {
  try {
    return await tool.execute(args, signal);
  } catch (error) {
    return failure(reasonOf(error));
  }
}

function failure(message: string): CallResult {
  return { content: [{ type: "text", text: `Error: ${message}` }], isError: true };
}
