/** Reads the arguments of a program call with the help of a list of known options. */

export interface OptionList {
  /** The letters of options without a value. */
  readonly flags?: string;
  /** The letters of options with a value, in the same word or the next. */
  readonly valued?: string;
  /** The letters of options with an optional value in the same word. The next word is never their value. */
  readonly optional?: string;
  /** True if the value of a `valued` letter is the next word, or digits in the same word. Other text there is refused. */
  readonly valuesApart?: true;
  /** The long options without a value, or with one exact value (`--color=never`); separated by blanks, never abbreviated. */
  readonly long?: string;
  /** The long options with a value, after `=` or as the next word; separated by blanks. */
  readonly longValued?: string;
  /** The long options with an optional value after `=`, separated by blanks. */
  readonly longOptional?: string;
  /** Matches allowed values. The default allows letters, digits and a few signs, so that no value has a `/`. */
  readonly value?: RegExp;
  /** True if digits are an option: `head -5`. */
  readonly digits?: true;
}

export interface KnownArguments {
  readonly options: readonly string[];
  readonly operands: readonly string[];
}

const defaultValue = /^(?:-\d+|(?!-)[\w+.,:%-]*)$/;

/**
 * Returns the names of the options, without values, and the operands; undefined if an option is unknown or lacks a value.
 */
export function readOptions(args: readonly string[], list: OptionList): KnownArguments | undefined {
  const options: string[] = [];
  const operands: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? "";
    if (word === "--") return { options, operands: [...operands, ...args.slice(index + 1)] };
    if (!word.startsWith("-") || word === "-") {
      operands.push(word);
      continue;
    }
    const taken = word.startsWith("--") ? longOption(word, list) : shortOptions(word, list);
    if (taken === undefined) return undefined;
    for (const option of taken.options) options.push(option);
    if (taken.value !== undefined || taken.takesNext) {
      const value = taken.value ?? args[index + 1];
      if (value === undefined || !(list.value ?? defaultValue).test(value)) return undefined;
      index += taken.takesNext ? 1 : 0;
    }
  }
  return { options, operands };
}

interface Taken {
  readonly options: readonly string[];
  readonly value?: string;
  readonly takesNext: boolean;
}

function longOption(word: string, list: OptionList): Taken | undefined {
  const equals = word.indexOf("=");
  const name = equals === -1 ? word : word.slice(0, equals);
  const optional = has(list.longOptional, name);
  if (has(list.long, word) || (equals === -1 && optional)) return { options: [name], takesNext: false };
  if (!optional && !has(list.longValued, name)) return undefined;
  return equals === -1
    ? { options: [name], takesNext: true }
    : { options: [name], value: word.slice(equals + 1), takesNext: false };
}

function has(names: string | undefined, name: string): boolean {
  return names?.split(/\s+/).includes(name) === true;
}

function shortOptions(word: string, list: OptionList): Taken | undefined {
  if (list.digits === true && /^-\d+$/.test(word)) return { options: [], takesNext: false };
  const options: string[] = [];
  for (let index = 1; index < word.length; index += 1) {
    const letter = word[index] ?? "";
    const rest = word.slice(index + 1);
    const valued = list.valued?.includes(letter) === true;
    if (valued || (list.optional?.includes(letter) === true && rest !== "")) {
      options.push(`-${letter}`);
      return rest === ""
        ? { options, takesNext: true }
        : list.valuesApart === true && !/^\d+$/.test(rest)
          ? undefined
          : { options, value: rest, takesNext: false };
    }
    if (list.flags?.includes(letter) !== true && list.optional?.includes(letter) !== true) return undefined;
    options.push(`-${letter}`);
  }
  return { options, takesNext: false };
}
