/** A policy is rules as data; a decision names the rule that made it. */
import type { JsonObject, PermissionMode, Risk } from "@localharness/protocol";
import type { CallFacts, TouchedPath } from "./facts.ts";

/** Who wrote a rule. Rules of a project can only deny and ask. */
export type RuleOrigin = "built-in" | "user" | "project" | "session" | "remembered";

/** All that are given must hold. An absent one holds for any call. */
export interface RuleConditions {
  /** Canonical tool name, or several. `*` alone is any tool; there are no other patterns for names. */
  readonly tool?: string | readonly string[];
  /** By the parameter's own name. A call without that argument does not match. */
  readonly arguments?: Readonly<Record<string, ArgumentPattern>>;
  /** Globs for what the call touches: deny and ask when any path matches, allow only when all do. */
  readonly path?: string | readonly string[];
  /** Compare paths without regard to case. */
  readonly ignoreCase?: boolean;
  /** Only paths that are read, or only those that are written. */
  readonly access?: "read" | "write";
  /** The words of a program call; a last `*` is any rest. Deny and ask when any call matches, allow only when all do. */
  readonly command?: readonly string[];
  readonly risk?: Risk | readonly Risk[];
  readonly mode?: PermissionMode | readonly PermissionMode[];
  /** Real path of the workspace it holds in. */
  readonly workspace?: string;
  /** Exactly the scope of the call: what an answer was given to. */
  readonly scope?: string;
}

/** A value that is equal, or for text a glob in which `*` matches any run of characters. */
export type ArgumentPattern = string | number | boolean | { readonly matches: string };

export interface PolicyRule extends RuleConditions {
  readonly id: string;
  readonly decision: "allow" | "ask" | "deny";
  /** Why, in words for the person. */
  readonly justification: string;
  readonly origin?: RuleOrigin;
  /** Unix milliseconds. */
  readonly created?: number;
  /** Calls that it must match and calls that it must not, tried when rules are loaded. */
  readonly examples?: {
    readonly matches?: readonly RuleExample[];
    readonly misses?: readonly RuleExample[];
  };
}

/** A call in a few words. What is left out is what the rule wants; `risk` is then high, `mode` default. */
export interface RuleExample {
  readonly tool?: string;
  readonly arguments?: JsonObject;
  readonly paths?: readonly TouchedPath[];
  /** One program call. */
  readonly command?: readonly string[];
  readonly risk?: Risk;
  readonly mode?: PermissionMode;
  readonly workspace?: string;
  readonly scope?: string;
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
  /** What an answer covers besides the tool's name; empty for every call of the tool. */
  readonly scope: string;
  readonly risk: Risk;
  readonly readOnly: boolean;
  readonly editsFiles: boolean;
  readonly mode: PermissionMode;
  readonly workspace: string;
  /** What the tool found out about the call; empty when it does not look. */
  readonly facts: CallFacts;
}

export interface LoadedRules {
  readonly rules: readonly PolicyRule[];
  /** What was wrong with the files, for the person. */
  readonly warnings: readonly string[];
  /** True when there may be rules that could not be read: what they may forbid is then asked about. */
  readonly incomplete?: boolean;
}

/** Where rules come from. The engine owns the interface, `cli` keeps them in files. */
export interface PolicyStore {
  /** The rules as they are now. Never throws. */
  load(): Promise<LoadedRules>;
  /** Rejects with a `HarnessError` when the rule could not be kept. */
  add(rule: PolicyRule): Promise<void>;
  /** True when there was such a rule. */
  forget(id: string): Promise<boolean>;
}
