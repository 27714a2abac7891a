/** Declares the rules of a policy, and the decisions that they make. */
import type { JsonObject, PermissionMode, Risk } from "@localharness/protocol";
import type { CallFacts, TouchedPath } from "./facts.ts";

/** The source of a rule. Rules of a project can only deny and ask. */
export type RuleOrigin = "built-in" | "user" | "project" | "session" | "remembered";

/** The conditions of a rule. All of them must hold; an absent condition holds for any call. */
export interface RuleConditions {
  /** The canonical name of a tool, or several names. `*` means any tool; there are no other patterns for names. */
  readonly tool?: string | readonly string[];
  /**
   * Patterns by parameter name. A call that lacks one of these arguments does not match. In a rule that allows, a text
   * pattern matches no call that runs a command.
   */
  readonly arguments?: Readonly<Record<string, ArgumentPattern>>;
  /**
   * Patterns for the touched paths. If the rule denies or asks, one path must match or be below a match. If it allows, the
   * paths must be known and all match; a command matches only if the rule also has `command` or `scope`.
   */
  readonly path?: string | readonly string[];
  /** True to ignore case in paths. */
  readonly ignoreCase?: boolean;
  /** Limits the rule to paths that are read, or to paths that are written. */
  readonly access?: "read" | "write";
  /**
   * The words of a program call; a final `*` matches any further words. If the rule denies or asks, one call must match; if it
   * allows, all calls must match.
   */
  readonly command?: readonly string[];
  readonly risk?: Risk | readonly Risk[];
  readonly mode?: PermissionMode | readonly PermissionMode[];
  /** The real path of the workspace in which the rule holds. */
  readonly workspace?: string;
  /** The exact scope of the call, for a rule made from an answer. */
  readonly scope?: string;
}

/** The exact value, or for text a pattern in which `*` matches any characters. */
export type ArgumentPattern = string | number | boolean | { readonly matches: string };

export interface PolicyRule extends RuleConditions {
  readonly id: string;
  /** No condition: the wider scope of the call that the person answered, so that an answer to it replaces this one. */
  readonly within?: string;
  readonly decision: "allow" | "ask" | "deny";
  /** The reason for the rule, in words for the person. */
  readonly justification: string;
  readonly origin?: RuleOrigin;
  /** The time in Unix milliseconds. */
  readonly created?: number;
  /** Calls that the rule must match, and calls that it must not match; checked when rules are loaded. */
  readonly examples?: {
    readonly matches?: readonly RuleExample[];
    readonly misses?: readonly RuleExample[];
  };
}

/**
 * A short form of a call. An absent `tool`, `risk`, `mode`, `workspace` or `scope` is taken from the rule, of several the
 * first. If the rule lacks it too, `tool` is `any`, `risk` high, `mode` default, `workspace` `/`, and `scope` empty. Other
 * fields are not taken from the rule.
 */
export interface RuleExample {
  readonly tool?: string;
  readonly arguments?: JsonObject;
  readonly paths?: readonly TouchedPath[];
  /** The words of one program call. */
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

/** Calls that a session allows without a question, in addition to rules. An absent field means false. */
export interface Freedoms {
  /** True if reading ordinary files of the workspace needs no question. */
  readonly looks?: boolean;
  /** True if a sandbox confines commands, so that mode `auto` runs them without a question. */
  readonly confined?: boolean;
}

/** A call about which the policy decides. */
export interface PolicyQuestion {
  readonly tool: string;
  readonly arguments: JsonObject;
  /** The scope of an answer, in addition to the tool's name; empty if an answer covers all calls of the tool. */
  readonly scope: string;
  readonly risk: Risk;
  readonly readOnly: boolean;
  readonly editsFiles: boolean;
  readonly mode: PermissionMode;
  readonly workspace: string;
  /** The real paths of the folders that the person added to the workspace; absent if there can be none. */
  readonly added?: readonly string[];
  readonly freedoms?: Freedoms;
  /** The tool's facts about the call; empty for a tool without `examine`. */
  readonly facts: CallFacts;
}

export interface LoadedRules {
  readonly rules: readonly PolicyRule[];
  /** Messages for the person about problems in the files. */
  readonly warnings: readonly string[];
  /** True if some rules could not be read. Until they can be read, every call whose risk is not `safe` asks. */
  readonly incomplete?: boolean;
  /** Names the state of the store that the rules were read from. Absent if the store cannot tell whether they change. */
  readonly mark?: string;
}

/** The place where rules are saved. The package `store` keeps them in files. */
export interface PolicyStore {
  /** Resolves to the current rules. Never rejects. */
  load(): Promise<LoadedRules>;
  /**
   * Resolves to the current rules if they may have changed since the state that `mark` names, and otherwise to undefined.
   * Changes nothing, and is called before each decision. Never rejects.
   */
  newer?(mark: string): Promise<LoadedRules | undefined>;
  /** Saves a rule. Rejects with a `HarnessError` if it cannot be saved. */
  add(rule: PolicyRule): Promise<void>;
  /**
   * Removes a rule. Resolves to false if no rule has that id. Rejects with a `HarnessError` if the change cannot be saved.
   */
  forget(id: string): Promise<boolean>;
}
