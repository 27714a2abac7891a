/** The rules of a policy, as data, and the decisions that they make. */
import type { JsonObject, PermissionMode, Risk } from "@localharness/protocol";
import type { CallFacts, TouchedPath } from "./facts.ts";

/** Who wrote a rule. Rules of a project can only deny and ask. */
export type RuleOrigin = "built-in" | "user" | "project" | "session" | "remembered";

/** The conditions of a rule: all must hold. An absent one holds for any call. */
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

/** The value itself, or for text a pattern in which `*` matches any run of characters. */
export type ArgumentPattern = string | number | boolean | { readonly matches: string };

export interface PolicyRule extends RuleConditions {
  readonly id: string;
  readonly decision: "allow" | "ask" | "deny";
  /** The reason, in words for the person. */
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

/** A call, in short. What is left out is as the rule wants it; without a condition, `risk` is high and `mode` default. */
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

/** What a session may do without a question, besides what rules allow. An absent one is false. */
export interface Freedoms {
  /** Looking at ordinary files of the workspace needs no question. */
  readonly looks?: boolean;
  /** A sandbox confines commands, so that mode `auto` runs them without a question. */
  readonly confined?: boolean;
}

/** The call that a policy is asked about. */
export interface PolicyQuestion {
  readonly tool: string;
  readonly arguments: JsonObject;
  /** The scope of an answer, besides the tool's name; empty when an answer holds for every call of the tool. */
  readonly scope: string;
  readonly risk: Risk;
  readonly readOnly: boolean;
  readonly editsFiles: boolean;
  readonly mode: PermissionMode;
  readonly workspace: string;
  readonly freedoms?: Freedoms;
  /** What the tool found out about the call; empty for a tool without `examine`. */
  readonly facts: CallFacts;
}

export interface LoadedRules {
  readonly rules: readonly PolicyRule[];
  /** What is wrong with the files, for the person. */
  readonly warnings: readonly string[];
  /** True when there may be rules that could not be read: what they may forbid is then asked about. */
  readonly incomplete?: boolean;
}

/** Where rules are kept. The engine owns the interface, `store` keeps them in files. */
export interface PolicyStore {
  /** Resolves to the rules as they are now. Never rejects. */
  load(): Promise<LoadedRules>;
  /** Keeps a rule. Rejects with a `HarnessError` when it could not be kept. */
  add(rule: PolicyRule): Promise<void>;
  /** Removes a rule. Resolves to false when there is none of that id. */
  forget(id: string): Promise<boolean>;
}
