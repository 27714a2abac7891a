/** Reads arguments with their types; the registry has already checked them against the schema. */
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

/** Returns the path argument, or "." (the workspace) if it is missing or empty. */
export function folderArgument(args: JsonObject, name = "path"): string {
  const path = textArgument(args, name);
  return path === undefined || path === "" ? "." : path;
}
