/** The options of one run, as a face read them from its command line or its user. */

/** Options that the harness itself understands. A face may have more. */
export type OptionName =
  | "model"
  | "provider"
  | "base-url"
  | "mode"
  | "tools"
  | "num-ctx"
  | "text-tool-calls"
  | "max-iterations"
  | "max-calls"
  | "sandbox"
  | "screen-reader"
  | "no-session"
  | "record"
  | "replay"
  | "continue"
  | "resume"
  | "answer"
  | "trust"
  | "tool"
  | "path"
  | "command"
  | "because";

/** The options that were given: a switch is `true`, `allow` has one text for each time it was given. */
export type Options = { readonly [name in OptionName]?: string | number | true } & {
  readonly allow?: readonly string[];
};

/** The value of a text option; undefined when it was not given. */
export function textOption(options: Options, name: OptionName): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}
