/** Reads the limits of a session and the shares of its context window from the settings. */
import { defaultShares, type WindowShares } from "@localharness/context/budgets";
import { defaultLimits, type Limits } from "@localharness/engine/limits";
import { defined } from "@localharness/protocol";
import type { ConfigValues } from "./fields.ts";

/** Returns only the limits that the settings set. */
export function limitsOf(values: ConfigValues): Partial<Limits> {
  return under("limits", defaultLimits, values);
}

/** Returns the shares of the context window in percent, with the defaults for those that the settings do not set. */
export function sharesOf(values: ConfigValues): WindowShares {
  return { ...defaultShares, ...under("shares", defaultShares, values) };
}

/** Returns the values of a group of settings under the names that the defaults have: `limits.a_b` as `aB`. */
function under<Group extends object>(group: string, defaults: Group, values: ConfigValues): Partial<Group> {
  const named = Object.keys(defaults).map((name) => {
    const key = `${group}.${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
    return [name, values[key as keyof ConfigValues]] as const;
  });
  return defined(Object.fromEntries(named)) as Partial<Group>;
}
