/** Builds an elicitation. */
import type { InputRequest } from "@modelcontextprotocol/server";

/** `fields` has the type of each required field, or its schema. */
export function form(message: string, fields: Readonly<Record<string, string | object>>): InputRequest {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      typeof field === "string" ? { type: field } : field,
    ]),
  );
  const requestedSchema = { type: "object", properties, required: Object.keys(fields) };
  return { method: "elicitation/create", params: { mode: "form", message, requestedSchema } } as InputRequest;
}
