/** Words the concerns about writing protected paths. */
import type { Concern } from "@localharness/engine";
import { protectedRow } from "../paths/protected.ts";
import type { ProtectedRow } from "../paths/protected-table.ts";

export function protectedConcern(path: string, name: string): Concern {
  return protectedByRow(path, name, protectedRow(name));
}

/** Names the path, and in brackets the protected name unless the path itself is that name. */
export function protectedText(path: string, name: string): string {
  const same = path.toLowerCase() === name.toLowerCase();
  return `"${path}" is protected${same ? "" : ` (${name})`}`;
}

export function protectedByRow(path: string, name: string, row: ProtectedRow | undefined): Concern {
  return {
    id: `protected:${name}`,
    decision: "ask",
    reason: `${protectedText(path, name)}: ${row?.reason ?? "programs obey it"}`,
    ...(row?.common === true ? { exceptIn: "bypass" } : {}),
  };
}
