/** Checks the values of settings, and describes the valid values in words for the person. */
import { type SamplingName, samplingRanges } from "@localharness/models/sampling";
import { isJsonObject, isLoopback, type JsonValue } from "@localharness/protocol";
import { readJsonSource } from "@localharness/store/json-source";
import { hooksExpected, isOwnProgram, readHookSettings } from "../permission/hooks/hook-settings.ts";

export interface ValueCheck {
  /** A description of the valid values. */
  readonly expected: string;
  /** All valid values, if there are only a few. */
  readonly choices?: readonly string[];
  /** Returns the value with the right type; undefined if the value is invalid. Values from the environment are text. */
  read(value: JsonValue): JsonValue | undefined;
}

export function text(expected: string): ValueCheck {
  return {
    expected,
    read: (value) => (typeof value === "string" && value.trim() !== "" ? value : undefined),
  };
}

export function address(expected: string): ValueCheck {
  const isRight = (value: JsonValue) =>
    typeof value === "string" && /^https?:\/\/[^@]+$/.test(value) && URL.canParse(value);
  return { expected, read: (value) => (isRight(value) ? value : undefined) };
}

/** Returns the check of an address that is reached with TLS, or on this machine. */
export function webhookAddress(): ValueCheck {
  const isRight = (value: JsonValue) =>
    typeof value === "string" &&
    URL.canParse(value) &&
    (/^https:\/\/[^@]+$/.test(value) ||
      (/^http:\/\/[^/@?#\\\s]+(?:\/|$)/.test(value) && isLoopback(new URL(value).hostname)));
  return {
    expected: "an address such as https://box.example/hook, or http://localhost:8080/hook",
    read: (value) => (isRight(value) ? value : undefined),
  };
}

export function integer(least: number, most: number): ValueCheck {
  return {
    expected: `a whole number from ${least} to ${most}`,
    read(value) {
      const number = typeof value === "string" && /^-?[0-9]+$/.test(value) ? Number(value) : value;
      const right =
        typeof number === "number" && Number.isInteger(number) && number >= least && number <= most;
      return right ? number : undefined;
    },
  };
}

export function oneOf(choices: readonly string[]): ValueCheck {
  return {
    expected: `one of ${choices.join(", ")}`,
    choices,
    read: (value) => (typeof value === "string" && choices.includes(value) ? value : undefined),
  };
}

export function yesOrNo(): ValueCheck {
  return {
    expected: "true or false",
    choices: ["true", "false"],
    read(value) {
      if (typeof value === "boolean") return value;
      return value === "true" || value === "false" ? value === "true" : undefined;
    },
  };
}

export function price(): ValueCheck {
  return {
    expected: "a number such as 0.25",
    read(value) {
      const number = typeof value === "string" && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
      return typeof number === "number" && Number.isFinite(number) && number >= 0 ? number : undefined;
    },
  };
}

/** Returns the check of sampling settings by model name; the name `*` stands for any other model. */
export function sampling(): ValueCheck {
  const isRight = (value: JsonValue) =>
    isJsonObject(value) &&
    Object.entries(value).every(([name, number]) => {
      const [least, most] = samplingRanges[name as SamplingName] ?? [1, 0];
      return typeof number === "number" && number >= least && number <= most;
    });
  return {
    expected: `settings by model, such as {"qwen3:8b": {"temperature": 0.6}}, with ${Object.keys(samplingRanges).join(", ")}`,
    read(value) {
      const models = typeof value === "string" ? readJsonSource(value) : { ok: true as const, value };
      if (!models.ok || !isJsonObject(models.value)) return undefined;
      return Object.values(models.value).every(isRight) ? models.value : undefined;
    },
  };
}

export function list(what: string, right: RegExp): ValueCheck {
  return {
    expected: `a list of ${what}`,
    read(value) {
      const items = typeof value === "string" ? value.split(",").map((item) => item.trim()) : value;
      const all = Array.isArray(items) && items.every((item) => typeof item === "string" && right.test(item));
      return all ? items : undefined;
    },
  };
}

export function hooks(): ValueCheck {
  return {
    expected: `${hooksExpected}; a program is an absolute path or a name`,
    read(value) {
      const right = readHookSettings(value);
      return right?.every(({ command }) => isOwnProgram(command)) === true ? value : undefined;
    },
  };
}

export function duration(): ValueCheck {
  return {
    expected: 'a time such as "10m" or "-1", or a number of seconds',
    read(value) {
      if (typeof value === "number") return value;
      return typeof value === "string" && /^-?[0-9.]+(ns|us|ms|s|m|h)?$/.test(value) ? value : undefined;
    },
  };
}

export function thinking(): ValueCheck {
  const words: Readonly<Record<string, JsonValue>> = {
    true: true,
    false: false,
    low: "low",
    medium: "medium",
    high: "high",
  };
  return {
    expected: "true, false, low, medium or high",
    choices: Object.keys(words),
    read: (value) => (Object.hasOwn(words, String(value)) ? words[String(value)] : undefined),
  };
}

export function tools(): ValueCheck {
  return {
    expected: "minimal, standard, all, or a list of them and of tools, with -NAME for one that is left out",
    read(value) {
      if (typeof value === "string" && value.trim() !== "") return value;
      const right =
        Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === "string");
      return right ? value : undefined;
    },
  };
}
