/** Checks a command from an untrusted source: returns the command, or an error message. */
import type { Command } from "./command.ts";
import { defined } from "./defined.ts";
import { readImages } from "./image.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
import type { AttachedFile } from "./mentions.ts";
import { type PermissionAnswer, permissionModes } from "./permission-request.ts";
import type { QuestionAction } from "./server-question.ts";

export type ReadCommand =
  | { readonly ok: true; readonly command: Command }
  /** `message` says what is wrong. */
  | { readonly ok: false; readonly message: string };

const answers: readonly PermissionAnswer[] = ["once", "session", "remember", "deny"];
const types = [
  "user-message",
  "permission-answer",
  "server-question-answer",
  "interrupt",
  "set-mode",
  "compact",
];

/** Returns the command without unknown keys, or an error message. Never throws. */
export function readCommand(value: unknown): ReadCommand {
  if (!isJsonObject(value)) return wrong(`a command must be an object with a "type", got ${kindOf(value)}`);
  switch (value["type"]) {
    case "user-message":
      return readUserMessage(value);
    case "permission-answer":
      return readAnswer(value);
    case "server-question-answer":
      return readQuestionAnswer(value);
    case "interrupt": {
      const drops = value["dropsWaiting"] === true ? ({ dropsWaiting: true } as const) : {};
      return { ok: true, command: { type: "interrupt", ...drops } };
    }
    case "set-mode": {
      const mode = permissionModes.find((one) => one === value["mode"]);
      if (mode === undefined) {
        return wrong(
          `set-mode needs "mode", one of ${permissionModes.join(", ")}, got ${kindOf(value["mode"])}`,
        );
      }
      return { ok: true, command: { type: "set-mode", mode } };
    }
    case "compact": {
      const { keep } = value;
      if (keep !== undefined && typeof keep !== "string") {
        return wrong(`compact takes "keep", a text, got ${kindOf(keep)}`);
      }
      return { ok: true, command: { type: "compact", ...defined({ keep }) } };
    }
    default:
      return wrong(`"type" must be one of ${types.join(", ")}, got ${kindOf(value["type"])}`);
  }
}

function readUserMessage({ content, images = [], files: given = [] }: JsonObject): ReadCommand {
  if (typeof content !== "string" || content.trim() === "") {
    return wrong(`user-message needs "content", text that is not empty, got ${kindOf(content)}`);
  }
  const read = readImages(images);
  if (!read.ok) return read;
  const files = readFiles(given);
  if (files === undefined) return wrong('"files" must be a list of objects with "path" and "content"');
  const attached = {
    ...(read.images.length > 0 ? { images: read.images } : {}),
    ...(files.length > 0 ? { files } : {}),
  };
  return { ok: true, command: { type: "user-message", content, ...attached } };
}

/** Returns the attached files without unknown keys; undefined for any other value. */
function readFiles(value: JsonValue): readonly AttachedFile[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const files = value.flatMap((file) => {
    const { path, content } = isJsonObject(file) ? file : {};
    return typeof path === "string" && typeof content === "string" ? [{ path, content }] : [];
  });
  return files.length === value.length ? files : undefined;
}

function readAnswer(fields: JsonObject): ReadCommand {
  const { requestId, answer: given, note, mode: asked, plan, wider, offer } = fields;
  const answer = answers.find((one) => one === given);
  if (typeof requestId !== "string" || requestId === "") {
    return wrong(`permission-answer needs "requestId", copied from the request, got ${kindOf(requestId)}`);
  }
  if (answer === undefined) {
    return wrong(`permission-answer needs "answer", one of ${answers.join(", ")}, got ${kindOf(given)}`);
  }
  if (note !== undefined && typeof note !== "string") {
    return wrong(`"note" of a permission-answer must be text, got ${kindOf(note)}`);
  }
  const mode = permissionModes.find((one) => one === asked);
  if (asked !== undefined && mode === undefined) {
    return wrong(
      `"mode" of a permission-answer must be one of ${permissionModes.join(", ")}, got ${kindOf(asked)}`,
    );
  }
  if (plan !== undefined && typeof plan !== "string") {
    return wrong(`"plan" of a permission-answer must be text, got ${kindOf(plan)}`);
  }
  if (offer !== undefined && typeof offer !== "string") {
    return wrong(`"offer" of a permission-answer must be the id of an offer, got ${kindOf(offer)}`);
  }
  if (wider !== undefined && typeof wider !== "boolean") {
    return wrong(`"wider" of a permission-answer must be true or false, got ${kindOf(wider)}`);
  }
  const command: Command = { type: "permission-answer", requestId, answer };
  return { ok: true, command: { ...command, ...defined({ note, wider, mode, plan, offer }) } };
}

const actions: readonly QuestionAction[] = ["accept", "decline", "cancel"];

function readQuestionAnswer({ questionId, action: given, values }: JsonObject): ReadCommand {
  const action = actions.find((one) => one === given);
  if (typeof questionId !== "string" || questionId === "") {
    return wrong(
      `server-question-answer needs "questionId", copied from the question, got ${kindOf(questionId)}`,
    );
  }
  if (action === undefined) {
    return wrong(`server-question-answer needs "action", one of ${actions.join(", ")}, got ${kindOf(given)}`);
  }
  if (values !== undefined && !isJsonObject(values)) {
    return wrong(`"values" of a server-question-answer must be an object, got ${kindOf(values)}`);
  }
  const command: Command = { type: "server-question-answer", questionId, action };
  return { ok: true, command: { ...command, ...defined({ values }) } };
}

function wrong(message: string): ReadCommand {
  return { ok: false, message };
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return value === "" ? "an empty text" : JSON.stringify(value.slice(0, 60));
  if (value === null || typeof value === "boolean" || typeof value === "number") return String(value);
  return Array.isArray(value) ? "a list" : "an object";
}
