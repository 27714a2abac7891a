/** Reports the phases of a model call before its answer begins: connecting, loading the model, reading the prompt. */
import type { ModelRequest } from "@localharness/engine";
import type { Wire } from "../wire/wire.ts";

export interface PhaseReport {
  /** Reports that an attempt to send the request begins, and asks the server whether it has to load the model. */
  connecting(): void;
  /** Reports that the connection is open. */
  readonly connected: () => void;
  /** Reports that the server has refused the request because it is loading its model. */
  loading(): void;
  /** Reports that the server has accepted the request. */
  answered(): void;
}

export function createPhaseReport(
  wire: Pick<Wire, "isLoaded">,
  { onPhase }: Pick<ModelRequest, "onPhase">,
): PhaseReport {
  /** True from a call of `loading` until a request is accepted: the tries in between stay in the phase `loading`. */
  let isRefused = false;
  /** True if the server loads the model for this very request, so that reading the prompt has no known beginning. */
  let loadsForThis = false;
  const ask = async () => {
    loadsForThis = (await wire.isLoaded?.()) === false;
    if (loadsForThis) onPhase?.("loading");
  };
  return {
    connecting() {
      if (isRefused || onPhase === undefined) return;
      onPhase("connecting");
      void ask();
    },
    connected() {
      if (!isRefused && !loadsForThis) onPhase?.("reading");
    },
    loading() {
      isRefused = true;
      onPhase?.("loading");
    },
    answered() {
      isRefused = false;
      if (!loadsForThis) onPhase?.("reading");
    },
  };
}
