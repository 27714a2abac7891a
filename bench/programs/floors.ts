/** The floors: programs in plain Node that do the same work at minimum cost. */
import { join } from "node:path";
import type { Program, SelfDescription, Wire } from "./program.ts";

const folder = join(import.meta.dirname, "..", "floors");

export type FloorKind = "es+fetch" | "es+http" | "cjs+cache";

export function floorName(kind: FloorKind, wire: Wire): string {
  return `floor ${kind}, ${wire}`;
}

export function floor(kind: FloorKind, wire: "openai" | "ollama"): Program {
  const script =
    kind === "cjs+cache"
      ? [join(folder, "cjs.cjs")]
      : [join(folder, "es.mjs"), kind === "es+fetch" ? "fetch" : "http"];
  return {
    name: floorName(kind, wire),
    kind: "floor",
    wire,
    absolutePaths: false,
    prompt: ({ prompt, serverUrl }) => ({
      file: process.execPath,
      args: [...script, wire, serverUrl, prompt],
    }),
  };
}

/** Node doing nothing, the lower limit of a start. */
export const bareNode: SelfDescription = {
  name: "node -e 0",
  version: { file: process.execPath, args: ["-e", "0"] },
  help: undefined,
};
