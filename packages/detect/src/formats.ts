/** The one table of formats. */
import type { FormatId } from "./types.ts";

/** A row of the table: an id, a title, the model families that write it, and one call as they write it. */
export interface FormatInfo {
  readonly id: FormatId;
  readonly title: string;
  readonly models: readonly string[];
  readonly example: string;
}

export const formats: readonly FormatInfo[] = [
  {
    id: "hermes",
    title: "JSON in <tool_call> tags",
    models: ["qwen2.5", "qwen3", "hermes"],
    example: '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>',
  },
];

/** The formats that a model is known to write, most likely first; empty when nothing is known. */
export function formatsForModel(model: string, template?: string): readonly FormatId[] {
  const known = formats.filter((row) => row.models.some((family) => model.toLowerCase().includes(family)));
  if (known.length > 0) return known.map((row) => row.id);
  return template?.includes("<tool_call>") ? ["hermes"] : [];
}
