/** Holds the tools of a session and finds them by name. */
import { isJsonObject, type JsonObject, reasonOf } from "@localharness/protocol";
import { type ToolNames, toolNames } from "@localharness/schema";
import { byNearness, nearestName } from "./arguments/names.ts";
import { type ValidatedInput, validateInput } from "./arguments/validate.ts";
import { toolFailedText } from "./calls/texts.ts";
import { HarnessError } from "./harness-error.ts";
import type { ToolDefinition } from "./model.ts";
import { withoutPathMarks } from "./schema/path-marks.ts";
import { failed, type Tool, type ToolContext, type ToolOutput } from "./tool.ts";

export interface FoundTool {
  readonly tool: Tool;
  /** True if the name is an alias or another spelling, such as `functions.Read-File`. */
  readonly renamed: boolean;
}

export interface ToolRegistry {
  /** Adds a tool. Throws `tool-name-taken` if the name is used, and `tool-invalid` if the tool is malformed. */
  register(tool: Tool): void;
  /** Removes a tool. Returns false if no tool has that name. */
  unregister(name: string): boolean;
  /** Returns the tools in the order in which they were registered. Models see them in this order. */
  list(): readonly Tool[];
  /**
   * Returns the descriptions, for a model, of the tools that are not hidden, in order of registration. A tool that is no
   * longer hidden comes after the tools that were described before, so that the beginning of the prompt stays the same.
   */
  definitions(): readonly ToolDefinition[];
  /** Returns the only tool that the name or alias means, in the spellings that `toolNames` knows; undefined if there is none. */
  find(name: string): FoundTool | undefined;
  /**
   * Returns the reason why no rule may allow every call of a program, from the first tool that has such a reason; undefined if
   * no tool has one.
   */
  riskOfProgram(program: string): string | undefined;
  /**
   * Returns the message about the name of a tool that does not exist. It lists tools, the likeliest first, unless `isListed`
   * says that an earlier message about this name has listed them.
   */
  unknownToolMessage(name: string, isListed?: boolean): string;
  /** Returns the checked arguments, or a message for the model about the problems. */
  validateInput(name: string, input: string | JsonObject | null | undefined): ValidatedInput;
  /** Validates the arguments and runs the tool, without asking for permission. Never rejects. */
  execute(name: string, input: string | JsonObject, context: ToolContext): Promise<ToolOutput>;
}

export function createRegistry(tools: readonly Tool[] = []): ToolRegistry {
  const byName = new Map<string, Tool>();
  let names: ToolNames<Tool> | undefined;
  /** The descriptions by name, in the order in which models got them. */
  const described = new Map<string, ToolDefinition>();
  let definitions: readonly ToolDefinition[] | undefined;

  function findTool(name: string): FoundTool | undefined {
    const exact = byName.get(name);
    if (exact !== undefined) return { tool: exact, renamed: false };
    names ??= toolNames([...byName.values()]);
    const tool = names.resolve(name);
    return tool && { tool, renamed: tool.name !== name };
  }

  const registry: ToolRegistry = {
    register(tool) {
      checkTool(tool);
      if (byName.has(tool.name)) {
        throw new HarnessError(
          "tool-name-taken",
          `a tool named "${tool.name}" is already registered; unregister it first`,
        );
      }
      byName.set(tool.name, tool);
      names = undefined;
    },
    unregister(name) {
      if (described.delete(name)) definitions = undefined;
      names = undefined;
      return byName.delete(name);
    },
    list: () => [...byName.values()],
    riskOfProgram(program) {
      for (const tool of byName.values()) {
        const risk = tool.riskOfProgram?.(program);
        if (risk !== undefined) return risk;
      }
      return undefined;
    },
    definitions() {
      for (const tool of byName.values()) {
        if (described.has(tool.name) || tool.hidden?.() === true) continue;
        described.set(tool.name, definitionOf(tool));
        definitions = undefined;
      }
      definitions ??= [...described.values()];
      return definitions;
    },
    find: findTool,
    unknownToolMessage(name, isListed = false) {
      const shown = [...byName.values()].filter((tool) => tool.hidden?.() !== true);
      const names = shown.map((tool) => tool.name);
      return unknownText(name, names, isListed);
    },
    validateInput(name, input) {
      const found = findTool(name);
      return found === undefined
        ? { ok: false, message: registry.unknownToolMessage(name) }
        : validateInput(found.tool, input);
    },
    async execute(name, input, context) {
      const found = findTool(name);
      if (found === undefined) return failed("not_found", registry.unknownToolMessage(name));
      const checked = validateInput(found.tool, input);
      if (!checked.ok) return failed("validation_failed", checked.message);
      try {
        return await found.tool.execute(checked.arguments, context);
      } catch (error) {
        return failed("internal_error", toolFailedText(found.tool.name, reasonOf(error)));
      }
    },
  };
  for (const tool of tools) registry.register(tool);
  return registry;
}

const maxListed = 10;

function unknownText(name: string, names: readonly string[], isListed: boolean): string {
  const near = nearestName(name, names);
  const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
  const list = isListed ? "An earlier error about this name lists tools" : listOf(byNearness(name, names));
  return `there is no tool named ${JSON.stringify(name.slice(0, 80))}.${hint} ${list}`;
}

function listOf(names: readonly string[]): string {
  const more = names.length - maxListed;
  // A list that leaves out one or two names is hardly shorter than the whole.
  if (more <= 2) return `The tools are: ${names.join(", ")}`;
  return `Tools are: ${names.slice(0, maxListed).join(", ")} and ${more} more`;
}

function definitionOf({ name, description, parameters }: Tool): ToolDefinition {
  return { name, description, parameters: withoutPathMarks(parameters) };
}

function checkTool(tool: Tool): void {
  if (!/^[a-zA-Z0-9_.-]{1,64}$/.test(tool.name)) {
    throw new HarnessError(
      "tool-invalid",
      `a tool's name must be 1 to 64 letters, digits, "_", "-" or ".", not ${JSON.stringify(tool.name)}`,
    );
  }
  const { type, properties } = tool.parameters ?? {};
  if (type !== "object" || !isJsonObject(properties)) {
    throw new HarnessError(
      "tool-invalid",
      `${tool.name}: parameters must be {"type":"object","properties":{...}}, but are ${JSON.stringify(tool.parameters)}`,
    );
  }
  requireSchemas(tool, "required parameters", tool.parameters.required ?? []);
  requireSchemas(tool, "parameters with aliases", Object.keys(tool.parameterAliases ?? {}));
}

function requireSchemas(tool: Tool, what: string, names: readonly string[]): void {
  const missing = names.filter((name) => !Object.hasOwn(tool.parameters.properties, name));
  if (missing.length === 0) return;
  throw new HarnessError("tool-invalid", `${tool.name}: ${what} without a schema: ${missing.join(", ")}`);
}
