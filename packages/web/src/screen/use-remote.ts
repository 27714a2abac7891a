/** Loads a value from the server for a component. */
import { reasonOf } from "@localharness/protocol";
import { useCallback, useEffect, useState } from "react";

export type Remote<Value> =
  | { readonly kind: "loading" }
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "failed"; readonly message: string };

/**
 * Loads a value, and loads it again when `load` or `version` changes. Returns the state of the value and a function that
 * loads it again. The old value stays until the new one has come.
 */
export function useRemote<Value>(
  load: () => Promise<Value>,
  version = "",
): readonly [Remote<Value>, () => void] {
  const [state, setState] = useState<Remote<Value>>({ kind: "loading" });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round or version is a reason to load.
  useEffect(() => {
    let isCurrent = true;
    void load()
      .then((value): Remote<Value> => ({ kind: "value", value }))
      .catch((error: unknown): Remote<Value> => ({ kind: "failed", message: reasonOf(error) }))
      .then((next) => {
        if (isCurrent) setState(next);
      });
    return () => {
      isCurrent = false;
    };
  }, [load, round, version]);
  return [state, useCallback(() => setRound((before) => before + 1), [])];
}
