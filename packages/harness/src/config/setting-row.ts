/** Declares the form of a row in the table of settings. */
import type { ValueCheck } from "./value-checks.ts";

export interface SettingRow extends ValueCheck<unknown> {
  readonly key: string;
  readonly option?: SettingOption;
  readonly about: string;
  /** The default value, or a description of its source. */
  readonly unset: string;
}

/** The option of the command line that sets a setting. It has the setting's kind, choices and range. */
export interface SettingOption {
  readonly name: string;
  readonly short?: string;
  /** Earlier names, which still work and of which a run tells the name of today. */
  readonly aliases?: readonly string[];
  /** The placeholder for the value in the help, such as `FILE`. */
  readonly value?: string;
  /** The value of the setting if the option is given. Such an option is a switch, and so is that of a yes or no. */
  readonly means?: string;
  /** The text of the help if it differs from that of the setting. */
  readonly help?: string;
  /** The option that it follows in the help. */
  readonly after: string;
  /** True if only the chat has the option; without it, every command that opens a session has it. */
  readonly onlyChat?: true;
}
