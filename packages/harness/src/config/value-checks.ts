/** Checks the values of settings, and describes the valid values in words for the person and as JSON Schema. */
import { type Sampling, type SamplingName, samplingRanges } from "@localharness/models/sampling";
import { isJsonObject, isLoopback, type JsonObject, type JsonValue } from "@localharness/protocol";
import { readJsonSource } from "@localharness/store/json-source";
import {
  type HookSetting,
  hooksExpected,
  hooksSchema,
  isOwnProgram,
  readHookSettings,
} from "../permission/hooks/hook-settings.ts";

/** The check of one setting's values, which have the type `Value`. */
export interface ValueCheck<Value> {
  /** A description of the valid values. */
  readonly expected: string;
  /** All valid values, if there are only a few. */
  readonly choices?: readonly string[];
  /** The JSON Schema of the valid values in config.json. */
  readonly schema: JsonObject;
  /** Returns the value with the right type; undefined if the value is invalid. Values from the environment are text. */
  read(value: JsonValue): Value | undefined;
}

export function text(expected: string): ValueCheck<string> {
  return {
    expected,
    schema: { type: "string", minLength: 1 },
    read: (value) => (typeof value === "string" && value.trim() !== "" ? value : undefined),
  };
}

export function address(expected: string): ValueCheck<string> {
  const isRight = (value: JsonValue) =>
    typeof value === "string" && /^https?:\/\/[^@]+$/.test(value) && URL.canParse(value);
  return {
    expected,
    schema: { type: "string", pattern: "^https?://[^@]+$" },
    read: (value) => (isRight(value) ? String(value) : undefined),
  };
}

/** Returns the check of an address that is reached with TLS, or on this machine. */
export function webhookAddress(): ValueCheck<string> {
  const isRight = (value: JsonValue) =>
    typeof value === "string" &&
    URL.canParse(value) &&
    (/^https:\/\/[^@]+$/.test(value) ||
      (/^http:\/\/[^/@?#\\\s]+(?:\/|$)/.test(value) && isLoopback(new URL(value).hostname)));
  return {
    expected: "an address such as https://box.example/hook, or http://localhost:8080/hook",
    schema: { type: "string", pattern: "^https?://[^@]+$" },
    read: (value) => (isRight(value) ? String(value) : undefined),
  };
}

export function integer(least: number, most: number): ValueCheck<number> {
  return {
    expected: `a whole number from ${least} to ${most}`,
    schema: { type: "integer", minimum: least, maximum: most },
    read(value) {
      const number = typeof value === "string" && /^-?[0-9]+$/.test(value) ? Number(value) : value;
      const right =
        typeof number === "number" && Number.isInteger(number) && number >= least && number <= most;
      return right ? number : undefined;
    },
  };
}

export function oneOf<const Choice extends string>(choices: readonly Choice[]): ValueCheck<Choice> {
  return {
    expected: `one of ${choices.join(", ")}`,
    choices,
    schema: { enum: [...choices] },
    read: (value) => choices.find((choice) => choice === value),
  };
}

export function yesOrNo(): ValueCheck<boolean> {
  return {
    expected: "true or false",
    choices: ["true", "false"],
    schema: { type: "boolean" },
    read(value) {
      if (typeof value === "boolean") return value;
      return value === "true" || value === "false" ? value === "true" : undefined;
    },
  };
}

export function price(): ValueCheck<number> {
  return {
    expected: "a number such as 0.25",
    schema: { type: "number", minimum: 0 },
    read(value) {
      const number = typeof value === "string" && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
      return typeof number === "number" && Number.isFinite(number) && number >= 0 ? number : undefined;
    },
  };
}

/** Returns the check of sampling settings by model name; the name `*` stands for any other model. */
export function sampling(): ValueCheck<Readonly<Record<string, Sampling>>> {
  const isRight = (value: JsonValue) =>
    isJsonObject(value) &&
    Object.entries(value).every(([name, number]) => {
      const [least, most] = samplingRanges[name as SamplingName] ?? [1, 0];
      return typeof number === "number" && number >= least && number <= most;
    });
  const ranges = Object.entries(samplingRanges).map(
    ([name, [minimum, maximum]]) => [name, { type: "number", minimum, maximum }] as const,
  );
  return {
    expected: `settings by model, such as {"qwen3:8b": {"temperature": 0.6}}, with ${Object.keys(samplingRanges).join(", ")}`,
    schema: byModel(Object.fromEntries(ranges)),
    read(value) {
      const models = typeof value === "string" ? readJsonSource(value) : { ok: true as const, value };
      if (!models.ok || !isJsonObject(models.value)) return undefined;
      return Object.values(models.value).every(isRight)
        ? (models.value as Readonly<Record<string, Sampling>>)
        : undefined;
    },
  };
}

export function list(what: string, right: RegExp): ValueCheck<readonly string[]> {
  return {
    expected: `a list of ${what}`,
    schema: { type: "array", items: { type: "string", pattern: right.source } },
    read(value) {
      const items = typeof value === "string" ? value.split(",").map((item) => item.trim()) : value;
      const isRight = (item: JsonValue) => typeof item === "string" && right.test(item);
      return isListOf(items, isRight) ? items : undefined;
    },
  };
}

export function hooks(): ValueCheck<readonly HookSetting[]> {
  return {
    expected: `${hooksExpected}; a program is an absolute path or a name`,
    schema: hooksSchema,
    read(value) {
      const right = readHookSettings(value);
      return right?.every(({ command }) => isOwnProgram(command)) === true ? right : undefined;
    },
  };
}

export function duration(): ValueCheck<string | number> {
  const right = /^-?[0-9.]+(ns|us|ms|s|m|h)?$/;
  return {
    expected: 'a time such as "10m" or "-1", or a number of seconds',
    schema: { type: ["string", "number"], pattern: right.source },
    read(value) {
      if (typeof value === "number") return value;
      return typeof value === "string" && right.test(value) ? value : undefined;
    },
  };
}

export function thinking(): ValueCheck<boolean | "low" | "medium" | "high"> {
  const values = [true, false, "low", "medium", "high"] as const;
  return {
    expected: "true, false, low, medium or high",
    choices: values.map(String),
    schema: { enum: [...values] },
    read: (value) => values.find((one) => String(one) === String(value)),
  };
}

/** Returns the check of a set of tools, or of a list of sets and tools, which a text separates by commas. */
export function tools(): ValueCheck<string | readonly string[]> {
  return {
    expected: "minimal, standard, all, or a list of them and of tools, with -NAME for one that is left out",
    schema: { type: ["string", "array"], minLength: 1, minItems: 1, items: { type: "string" } },
    read(value) {
      const isText = typeof value === "string";
      if (isText && !value.includes(",")) return value.trim() === "" ? undefined : value;
      const names = isText ? value.split(",").flatMap((name) => name.trim() || []) : value;
      return isListOf(names, (name) => typeof name === "string") && names.length > 0 ? names : undefined;
    },
  };
}

/** Returns the JSON Schema of an object whose keys are names of models and whose values have these properties. */
export function byModel(properties: JsonObject): JsonObject {
  return {
    type: "object",
    additionalProperties: { type: "object", properties, additionalProperties: false },
  };
}

function isListOf(value: JsonValue, isRight: (item: JsonValue) => boolean): value is string[] {
  return Array.isArray(value) && value.every(isRight);
}
