/** Makes a tool from a typed function. */
import type { JsonObject, JsonValue } from "@localharness/protocol";
import { defineTool, type Tool, type ToolContext, type ToolOutput } from "../tool.ts";
import type { FunctionSignature } from "./signature.ts";

/** A whole number, for the signature of a function from which a tool is made. */
export type Integer = number;

/** The properties of the tool that the signature lacks. By default `name` is the name of the function in snake case. */
export type FunctionToolOptions = Omit<Tool, "name" | "description" | "parameters" | "execute"> & {
  readonly name?: string;
};

// The arguments have the right types, because the schema was made from the signature of the function.
type AnyFunction = (...args: never[]) => ToolOutput | string | Promise<ToolOutput | string>;

/**
 * Returns a tool that calls `run` with the arguments, followed by the context of the call. If `run` returns a string, the
 * string is the data of the result.
 */
export function functionTool(
  run: AnyFunction,
  signature: FunctionSignature,
  options: FunctionToolOptions,
): Tool {
  const call = run as (
    ...args: (JsonValue | undefined | JsonObject | ToolContext)[]
  ) => ReturnType<AnyFunction>;
  return defineTool({
    ...options,
    name: options.name ?? snakeCase(signature.name),
    description: signature.description,
    parameters: signature.parameters,
    async execute(args, context) {
      const values = signature.positional?.map((name) => args[name]) ?? [args];
      const output = await call(...values, context);
      return typeof output === "string" ? { ok: true, data: output } : output;
    },
  });
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
