/** Writers of the formats with one tag per argument: a text stands as it is, every other value as JSON. */
import { typeOfValue } from "../schema/read-schema.ts";
import type { FormatId, JsonValue } from "../types.ts";
import { around, each, type Writer, type WrittenCall } from "./writer.ts";

function raw(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function argumentsOf(
  call: WrittenCall,
  write: (key: string, value: JsonValue) => string,
  between = "\n",
): string {
  return Object.entries(call.arguments)
    .map(([key, value]) => write(key, value))
    .join(between);
}

/** Lines inside a tag: each with its line feed, none when there are none. */
function lines(call: WrittenCall, write: (key: string, value: JsonValue) => string): string {
  const inner = argumentsOf(call, write);
  return inner === "" ? "\n" : `\n${inner}\n`;
}

function functionTag(call: WrittenCall, gap: string): string {
  const inner = lines(call, (key, value) => `<parameter=${key}>${gap}${raw(value)}${gap}</parameter>`);
  return `<function=${call.name}>${inner}</function>`;
}

function invokeTag(prefix: string, gap: string, attributes: (value: JsonValue) => string = () => "") {
  return (call: WrittenCall) => {
    const write = (key: string, value: JsonValue) =>
      `<${prefix}parameter name="${key}"${attributes(value)}>${raw(value)}</${prefix}parameter>`;
    const inner = gap === "" ? argumentsOf(call, write, "") : lines(call, write);
    return `<${prefix}invoke name="${call.name}">${inner}</${prefix}invoke>`;
  };
}

const m3 = "]<]minimax[>[";

function minimaxM3(call: WrittenCall): string {
  const inner = argumentsOf(call, (key, value) => `${m3}<${key}>${raw(value)}${m3}</${key}>`, "");
  return `${m3}<invoke name="${call.name}">${inner}${m3}</invoke>`;
}

function isText(value: JsonValue): string {
  return ` string="${typeof value === "string"}"`;
}

/** A text that would read as markup stands in a CDATA section, or escaped where that cannot be. */
export function markupText(value: JsonValue): string {
  const text = raw(value);
  if (!/[<&]|^\s|\s$/.test(text)) return text;
  if (!text.includes("]]>")) return `<![CDATA[${text}]]>`;
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function glimmer(calls: readonly WrittenCall[], after: string): string {
  return calls
    .map((call, place) => {
      const start = place > 0 || after !== "" ? "<|start|>assistant" : "";
      const block = `<atem:function_calls>\n${invokeTag("atem:", "\n")(call)}\n</atem:function_calls>`;
      return `${start} to=${call.name}<|message|>${block}<|eom|>`;
    })
    .join("");
}

function k3Type(value: JsonValue): string {
  const type = typeOfValue(value);
  return type === "integer" ? "number" : type;
}

function kimiK3(call: WrittenCall, place: number): string {
  const inner = argumentsOf(
    call,
    (key, value) =>
      `<|open|>argument key="${key}" type="${k3Type(value)}"<|sep|>${raw(value)}<|close|>argument<|sep|>`,
    "",
  );
  return `<|open|>call tool="${call.name}" index="${place + 1}"<|sep|>${inner}<|close|>call<|sep|>`;
}

function glm(call: WrittenCall): string {
  const inner = argumentsOf(
    call,
    (key, value) => `<arg_key>${key}</arg_key>\n<arg_value>${raw(value)}</arg_value>\n`,
    "",
  );
  return `<tool_call>${call.name}\n${inner}</tool_call>`;
}

function minicpm(call: WrittenCall): string {
  const inner = argumentsOf(call, (key, value) => `<param name="${key}">${markupText(value)}</param>`, "");
  return `<function name="${call.name}">${inner}</function>`;
}

function morph(call: WrittenCall): string {
  return `<${call.name}>${lines(call, (key, value) => `<${key}>${markupText(value)}</${key}>`)}</${call.name}>`;
}

export const tagWriters = {
  "qwen-coder": each((call) => `<tool_call>\n${functionTag(call, "\n")}\n</tool_call>`),
  "seed-oss": each((call) => `<seed:tool_call>\n${functionTag(call, "")}\n</seed:tool_call>`),
  minimax: around("<minimax:tool_call>\n", each(invokeTag("", "\n")), "\n</minimax:tool_call>"),
  "minimax-m3": around(`${m3}<tool_call>`, each(minimaxM3, ""), `${m3}</tool_call>`),
  dsml: around(
    "<｜DSML｜tool_calls>\n",
    each(invokeTag("｜DSML｜", "\n", isText)),
    "\n</｜DSML｜tool_calls>",
  ),
  step3: around(
    "<｜tool_calls_begin｜>",
    each(
      (call) =>
        `<｜tool_call_begin｜>function<｜tool_sep｜>${invokeTag("steptml:", "")(call)}<｜tool_call_end｜>`,
      "",
    ),
    "<｜tool_calls_end｜>",
  ),
  glimmer,
  "kimi-k3": around("<|open|>tools<|sep|>", each(kimiK3, ""), "<|close|>tools<|sep|>"),
  glm: each(glm),
  minicpm: each(minicpm),
  "morph-xml": each(morph),
} satisfies Partial<Record<FormatId, Writer>>;
