/** Typed looks at arguments that the registry has already checked against the schema. */
import type { JsonObject } from "@localharness/protocol";

export function textArgument(args: JsonObject, name: string): string | undefined {
  const value = args[name];
  return typeof value === "string" ? value : undefined;
}

export function numberArgument(args: JsonObject, name: string): number | undefined {
  const value = args[name];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function flagArgument(args: JsonObject, name: string): boolean {
  return args[name] === true;
}

/** The path of a tool for which the workspace itself is meant when none is given. */
export function folderArgument(args: JsonObject, name = "path"): string {
  const path = textArgument(args, name);
  return path === undefined || path === "" ? "." : path;
}
