/** Reads the recorded templates, and the measurements of them on real servers. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LlamaServer } from "@localharness/models/fake-server";

export interface TemplateRow {
  readonly name: string;
  /** The release of the server in which the template was found. */
  readonly snapshot: LlamaServer;
  readonly template: string;
}

/** The refusals and losses of a real server, by history. */
export interface MeasuredRow {
  readonly name: string;
  readonly server: LlamaServer;
  readonly refused: Readonly<Record<string, string>>;
}

export function readTemplates(folder: string): readonly TemplateRow[] {
  return readRows<TemplateRow>(join(folder, "templates.jsonl"));
}

export function readMeasured(folder: string): readonly MeasuredRow[] {
  return readRows<MeasuredRow>(join(folder, "llama-server.jsonl"));
}

function readRows<T>(file: string): readonly T[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as T);
}
