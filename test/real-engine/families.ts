/** Defines the model families that the engine simulates: their marks, and how they write a call of `read_file` and an answer. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FormatId } from "@localharness/detect";

export interface Mark {
  readonly text: string;
  /** Whether a server shows the mark as text or hides it as a control token. */
  readonly kind: "shown" | "control";
}

export interface Family {
  readonly name: string;
  /** The format in which its calls are detected. */
  readonly format: FormatId;
  /** The chat template, in Jinja. */
  readonly template: string;
  readonly marks: readonly Mark[];
  /** The text that begins every prompt. */
  readonly begin: string;
  /** The marks where the model stops: end of text, end of a turn, end of a message that waits for a tool. */
  readonly ends: { readonly all: string; readonly turn: string; readonly message: string };
  /** The tokens that can end a prompt, after which the model begins to write. */
  readonly promptEnds: readonly string[];
  /** The mark that ends tool results and nothing else. */
  readonly resultEnd: string;
  readonly call: { readonly text: string; readonly end: string };
  readonly answer: { readonly text: string; readonly end: string };
}

/** The file that every family reads. */
export const file = { path: "notes.txt", text: "The ficus wants water at noon.\n" };

/** The answer has characters of two to four bytes, which the pieces of the engine split. */
export const answerText = "The note says: water the ficus at noon — déjà vu, 🌿 ☕.";

const shown = (...texts: readonly string[]): Mark[] => texts.map((text) => ({ text, kind: "shown" }));
const control = (...texts: readonly string[]): Mark[] => texts.map((text) => ({ text, kind: "control" }));

const hermes: Family = {
  name: "hermes",
  format: "hermes",
  template: template("hermes"),
  marks: [
    ...control("<|endoftext|>", "<|im_start|>", "<|im_end|>"),
    ...shown("<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>"),
  ],
  begin: "<|im_start|>",
  ends: { all: "<|endoftext|>", turn: "<|im_end|>", message: "<|im_end|>" },
  promptEnds: ["\n"],
  resultEnd: "</tool_response>",
  call: {
    text: `<tool_call>\n{"name": "read_file", "arguments": {"path": "${file.path}"}}\n</tool_call>`,
    end: "<|im_end|>",
  },
  answer: { text: answerText, end: "<|im_end|>" },
};

const mistral: Family = {
  name: "mistral",
  format: "mistral",
  template: template("mistral"),
  marks: control(
    "<s>",
    "</s>",
    "[INST]",
    "[/INST]",
    "[AVAILABLE_TOOLS]",
    "[/AVAILABLE_TOOLS]",
    "[TOOL_CALLS]",
    "[TOOL_RESULTS]",
    "[/TOOL_RESULTS]",
  ),
  begin: "<s>",
  ends: { all: "</s>", turn: "</s>", message: "</s>" },
  promptEnds: ["[/INST]", "[/TOOL_RESULTS]"],
  resultEnd: "[/TOOL_RESULTS]",
  call: {
    text: `[TOOL_CALLS][{"name": "read_file", "arguments": {"path": "${file.path}"}, "id": "Fq9xT2bLw"}]`,
    end: "</s>",
  },
  answer: { text: answerText, end: "</s>" },
};

const glm: Family = {
  name: "glm",
  format: "glm",
  template: template("glm"),
  marks: [
    ...control("<|endoftext|>", "[gMASK]", "<sop>", "<|system|>", "<|user|>", "<|assistant|>"),
    ...control("<|observation|>"),
    ...shown("<tool_call>", "</tool_call>", "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>"),
    ...shown("<tool_response>", "</tool_response>"),
  ],
  begin: "[gMASK]",
  ends: { all: "<|endoftext|>", turn: "<|user|>", message: "<|observation|>" },
  promptEnds: ["<|assistant|>"],
  resultEnd: "</tool_response>",
  call: {
    text: `\n<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>${file.path}</arg_value>\n</tool_call>`,
    end: "<|observation|>",
  },
  answer: { text: `\n${answerText}`, end: "<|user|>" },
};

export const families: readonly Family[] = [hermes, mistral, glm];

function template(name: string): string {
  return readFileSync(join(import.meta.dirname, "templates", `${name}.jinja`), "utf8");
}
