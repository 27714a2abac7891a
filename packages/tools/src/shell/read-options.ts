/** Reads a call's arguments by the list of options that its program may have here. What is not listed is not known. */

export interface OptionList {
  /** Letters of options without a value. */
  readonly flags?: string;
  /** Letters of options with a value, in the same word or the next. */
  readonly valued?: string;
  /** Letters of options with a value in the same word or none: the next word is never theirs. */
  readonly optional?: string;
  /** True where letters after a valued one are options too, and its value is the next word. Digits are a value. */
  readonly valuesApart?: true;
  /** Long options as they are written, without a value or with the one that stands here; abbreviations are not known. */
  readonly long?: string;
  /** Long options with a value, after `=` or as the next word. */
  readonly longValued?: string;
  /** Long options with a value after `=` or none. */
  readonly longOptional?: string;
  /** What a value must look like. Default: letters, digits and a few signs, so that none is a path or a program. */
  readonly value?: RegExp;
  /** True for `head -5`: digits as an option. */
  readonly digits?: true;
}

export interface KnownArguments {
  readonly options: readonly string[];
  readonly operands: readonly string[];
}

const usualValue = /^(?:-\d+|(?!-)[\w+.,:%-]*)$/;

/** Undefined when an option is not on the list. Options count wherever they stand before `--`. */
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
      if (value === undefined || !(list.value ?? usualValue).test(value)) return undefined;
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
