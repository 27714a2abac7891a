/**
 * Opens the call desk, which judges and runs the calls of other programs in the same way as a session of this workspace
 * judges and runs a model's calls.
 */
import { type CallDesk, createCallDesk, defaultLimits, type RunLock } from "@localharness/engine";
import { defined, type LoopEvent } from "@localharness/protocol";
import type { Workbench } from "../../compose/workbench.ts";
import { limitsOf } from "../../config/limits.ts";
import type { Settings } from "../../config/settings.ts";
import type { Trust } from "../../permission/trust/settle-trust.ts";

export interface DeskParts {
  readonly bench: Workbench;
  readonly settings: Settings;
  readonly trust: Trust;
  /** The session id under which the calls are recorded; by default a new id. */
  readonly sessionId?: string;
  readonly runLock?: RunLock;
  /** Called with each warning that belongs to no call. */
  notice(event: Extract<LoopEvent, { type: "notice" }>): void;
}

export function openDesk({ bench, settings, trust, sessionId, runLock, notice }: DeskParts): CallDesk {
  return createCallDesk({
    registry: bench.registry,
    workspace: bench.workspace,
    mode: () => bench.mode(),
    policyStore: trust === "full" ? bench.trustedPolicyStore : bench.policyStore,
    audit: bench.audit,
    mask: bench.mask,
    sandbox: bench.sandbox.describe(),
    trusted: trust !== "reading",
    freedoms: bench.freedoms(trust),
    limits: { ...defaultLimits, ...limitsOf(settings.values) },
    notice,
    ...defined({ hooks: bench.guidance.hooks(trust), sessionId, runLock }),
  });
}
