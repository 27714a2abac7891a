/** A policy is ordered rules as data; a decision names the rule that made it. */
import type { JsonObject, PermissionMode, Risk } from "@localharness/protocol";

export interface PolicyRule {
  readonly id: string;
  readonly decision: "allow" | "ask" | "deny";
  /** Why, in words for the person. */
  readonly justification: string;
  /** Canonical tool name; absent = any tool. */
  readonly tool?: string;
  /** Exactly what the tool's `grantScope` gives for the call; absent = any arguments. */
  readonly scope?: string;
  /** Real path of the workspace it holds in; absent = any. */
  readonly workspace?: string;
  /** Unix milliseconds. */
  readonly created?: number;
}

export interface Decision {
  readonly decision: "allow" | "ask" | "deny";
  readonly rule: string;
  readonly reason: string;
}

/** What a policy is asked about. */
export interface PolicyQuestion {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly scope: string;
  readonly risk: Risk;
  readonly readOnly: boolean;
  readonly editsFiles: boolean;
  readonly mode: PermissionMode;
  readonly workspace: string;
}

/** Remembered answers. The engine owns the interface, `cli` keeps them in a file. */
export interface PolicyStore {
  /** The rules as they are now; what was wrong with the file is in `warnings`. Never throws. */
  load(): Promise<{ readonly rules: readonly PolicyRule[]; readonly warnings: readonly string[] }>;
  /** Rejects with a `HarnessError` when the rule could not be kept. */
  add(rule: PolicyRule): Promise<void>;
  /** True when there was such a rule. */
  forget(id: string): Promise<boolean>;
}
