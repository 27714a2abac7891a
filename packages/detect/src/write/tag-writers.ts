/** Writers of the formats with one tag per argument. */
import type { FormatId, JsonValue } from "../types.ts";
import { type CallWriter, each, plainValue, type WrittenCall } from "./written-call.ts";
import { yamlMapping } from "./yaml-text.ts";

/** The arguments of a call, each as `write` gives it. */
function args(call: WrittenCall, write: (key: string, value: JsonValue) => string, between = "\n"): string {
  return Object.entries(call.arguments)
    .map(([key, value]) => write(key, value))
    .join(between);
}

/** Where one line feed inside the tags is layout, a value that has one of its own needs another. */
function laidOut(value: JsonValue): string {
  const text = plainValue(value);
  return /^\r?\n|\n$/.test(text) ? `\n${text}\n` : text;
}

/** XML text; a space at either end is written so that it is not taken for layout. */
function escaped(value: JsonValue): string {
  return plainValue(value)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/^ | $/g, "&#32;");
}

function lines(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n");
}

function dsmlArgument(key: string, value: JsonValue): string {
  const isText = typeof value === "string";
  return `<｜DSML｜parameter name="${key}" string="${isText}">${plainValue(value)}</｜DSML｜parameter>`;
}

function k3Argument(key: string, value: JsonValue): string {
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return `<|open|>argument key="${key}" type="${type}"<|sep|>${plainValue(value)}<|close|>argument<|sep|>`;
}

const m3 = "]<]minimax[>[";

/** A list or an object as JSON, in which nothing looks like a tag of its own. */
function m3Value(value: JsonValue): string {
  if (typeof value !== "object" || value === null) return laidOut(value);
  return JSON.stringify(value).replaceAll("<", "\\u003c").replaceAll("&", "\\u0026");
}

function invoke(call: WrittenCall, prefix = ""): string {
  const body = args(
    call,
    (key, value) => `<${prefix}parameter name="${key}">${laidOut(value)}</${prefix}parameter>`,
  );
  return lines(`<${prefix}invoke name="${call.name}">`, body, `</${prefix}invoke>`);
}

export const tagWriters: { readonly [id in FormatId]?: CallWriter } = {
  "qwen-coder": each((call) => {
    const body = args(call, (key, value) => `<parameter=${key}>\n${plainValue(value)}\n</parameter>`);
    return lines("<tool_call>", `<function=${call.name}>`, body, "</function>", "</tool_call>");
  }),
  "seed-oss": each((call) => {
    const body = args(call, (key, value) => `<parameter=${key}>${laidOut(value)}</parameter>`);
    return lines("<seed:tool_call>", `<function=${call.name}>`, body, "</function>", "</seed:tool_call>");
  }),
  minimax: (calls) =>
    lines("<minimax:tool_call>", ...calls.map((call) => invoke(call)), "</minimax:tool_call>"),
  "minimax-m3": (calls) => {
    const written = calls.map((call) => {
      const body = args(call, (key, value) => `${m3}<${key}>${m3Value(value)}${m3}</${key}>`, "");
      return `${m3}<invoke name="${call.name}">${body}${m3}</invoke>`;
    });
    return `${m3}<tool_call>${written.join("")}${m3}</tool_call>`;
  },
  dsml: (calls) => {
    const written = calls.map((call) =>
      lines(`<｜DSML｜invoke name="${call.name}">`, args(call, dsmlArgument), "</｜DSML｜invoke>"),
    );
    return lines("<｜DSML｜tool_calls>", ...written, "</｜DSML｜tool_calls>");
  },
  step3: (calls) => {
    const written = calls.map(
      (call) => `<｜tool_call_begin｜>function<｜tool_sep｜>${invoke(call, "steptml:")}<｜tool_call_end｜>`,
    );
    return `<｜tool_calls_begin｜>${written.join("")}<｜tool_calls_end｜>`;
  },
  minicpm: each((call) => {
    const body = args(call, (key, value) => `<param name="${key}">${escaped(laidOut(value))}</param>`, "");
    return `<function name="${call.name}">${body}</function>`;
  }),
  glimmer: (calls) => {
    const written = calls.map((call) =>
      lines(
        `<atem:invoke name="${call.name}">`,
        args(call, (key, value) => `<atem:parameter name="${key}">${plainValue(value)}</atem:parameter>`),
        "</atem:invoke>",
      ),
    );
    const to = calls[0]?.name ?? "user";
    return ` to=${to}<|message|>${lines("<atem:function_calls>", ...written, "</atem:function_calls>")}<|eom|>`;
  },
  "kimi-k3": (calls) => {
    const written = calls.map(
      (call, index) =>
        `<|open|>call tool="${call.name}" index="${index + 1}"<|sep|>${args(call, k3Argument, "")}<|close|>call<|sep|>`,
    );
    return `<|open|>tools<|sep|>${written.join("")}<|close|>tools<|sep|>`;
  },
  glm: each((call) => {
    const body = args(
      call,
      (key, value) => `<arg_key>${key}</arg_key>\n<arg_value>${plainValue(value)}</arg_value>`,
    );
    return lines(`<tool_call>${call.name}`, body, "</tool_call>");
  }),
  "morph-xml": each((call) => {
    const body = args(call, (key, value) => `<${key}>${escaped(value)}</${key}>`);
    return lines(`<${call.name}>`, body, `</${call.name}>`);
  }),
  "yaml-xml": each((call) => lines(`<${call.name}>`, yamlMapping(call.arguments), `</${call.name}>`)),
};
