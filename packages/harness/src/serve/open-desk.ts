/** Opens the place at which calls of other programs are judged and run, as calls of a model in a session of this workspace are. */
import { type CallDesk, createCallDesk, defaultLimits } from "@localharness/engine";
import { defined, type LoopEvent } from "@localharness/protocol";
import { limitsOf } from "../config/limits.ts";
import type { Settings } from "../config/settings.ts";
import type { Trust } from "../trust/settle-trust.ts";
import type { Workbench } from "../workbench.ts";

export interface DeskParts {
  readonly bench: Workbench;
  readonly settings: Settings;
  readonly trust: Trust;
  /** The session of the calls; a new id by default. */
  readonly sessionId?: string;
  /** Receives the warnings that belong to no call. */
  notice(event: Extract<LoopEvent, { type: "notice" }>): void;
}

export function openDesk({ bench, settings, trust, sessionId, notice }: DeskParts): CallDesk {
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
    ...defined({ hooks: bench.guidance.hooks(trust), sessionId }),
  });
}
