/** Words the concerns about files that usually hold secrets. */
import type { Concern } from "@localharness/engine";

export function secretConcern(path: string, name: string): Concern {
  return {
    id: `secret:${name}`,
    decision: "ask",
    reason: `"${path}" usually holds passwords or keys, which the model would then know`,
  };
}

/** How the id of a concern about writing a secret begins. */
export const writtenSecret = "written-secret:";

export function writtenSecretConcern(path: string, name: string): Concern {
  return {
    id: `${writtenSecret}${name}`,
    decision: "ask",
    reason: `it writes "${path}", which usually holds passwords or keys; undo keeps no copy`,
    exceptIn: "bypass",
  };
}

/** Returns a concern about a file of secrets that would become part of a repository. */
export function storedSecretConcern(path: string, name: string): Concern {
  return {
    id: `secret:${name}`,
    decision: "ask",
    reason: `"${path}" usually holds passwords or keys, which would become part of the repository`,
  };
}
