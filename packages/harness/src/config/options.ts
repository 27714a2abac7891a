/** Declares the options of one run, which the program reads from its command line. */
import type { SettingOptionName } from "./fields.ts";

/** The options that the harness understands: those of settings, and others. The command line has more options. */
export type OptionName =
  | SettingOptionName
  | "record"
  | "replay"
  | "continue"
  | "resume"
  | "answer"
  | "trust"
  | "tool"
  | "path"
  | "access"
  | "command"
  | "because"
  | "workspace"
  | "port"
  | "listen"
  | "open"
  | "host-name"
  | "tls-cert"
  | "tls-key";

/**
 * The options that were given. The value of a switch is `true`; `allow` has one text for each time that the option was
 * given.
 */
export type Options = { readonly [name in OptionName]?: string | number | true } & {
  readonly allow?: readonly string[];
  readonly "add-dir"?: readonly string[];
};

/** Returns the value of a text option; undefined if the option was not given, or was given without a value. */
export function textOption(options: Options, name: OptionName): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}
