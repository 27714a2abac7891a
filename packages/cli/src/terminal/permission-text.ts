/**
 * Builds the text of a permission question for the line-by-line chat. The text shows the call, with hidden characters
 * escaped.
 */
import {
  isDefaultRule,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type PermissionRequest,
} from "@localharness/protocol";
import { judgedLine, judgedText } from "./plain-text.ts";

const shortChars = 480;
const shortDiffLines = 40;
const shortPaths = 8;

interface Shortened {
  readonly text: string;
  /** True if something was left out. The person can then show everything with `v`. */
  readonly cut: boolean;
}

/**
 * The warning for a call of high risk about which a rule other than the default rule asks, because the reason of such a rule
 * may not be a warning.
 */
const highWarning = "Warning: it can change or run things; look at the arguments before you allow it";

/**
 * Returns the text of the question; with `whole`, nothing is cut. Escapes invisible characters and characters that look
 * like others.
 */
export function permissionText(request: PermissionRequest, whole = false): string {
  const args = argumentsText(request.arguments, whole);
  const diff = request.preview === undefined ? undefined : diffText(request.preview, whole);
  const paths = touched(request, whole);
  const lines = [
    "⚠️  Permission Request",
    "",
    ...(request.agent === undefined ? [] : [`Requested by the agent: ${judgedLine(request.agent)}`]),
    `Tool: ${judgedLine(request.toolName)}`,
    `Arguments: ${args.text}`,
    ...(paths.text === "" ? [] : [`Touches: ${paths.text}`]),
    `Risk: ${request.risk.toUpperCase()}`,
    ...found(request),
    ...request.concerns.map(({ reason }) => `Careful: ${judgedLine(reason)}`),
  ];
  if (request.reason !== "" && !request.concerns.some(({ reason }) => reason === request.reason)) {
    lines.push(`Reason: ${judgedLine(request.reason)}`);
  }
  if (request.risk === "high" && !isDefaultRule(request.rule)) lines.push(highWarning);
  if (request.toolName === "bash" && request.sandbox !== undefined) {
    lines.push(`Runs in: ${judgedLine(request.sandbox)}`);
  }
  const once = request.answers?.includes("session") === false;
  if (request.covers !== "") {
    lines.push(`${once ? "An answer covers" : "[2] and [3] cover"}: ${judgedLine(request.covers)}`);
  }
  if (request.waiting !== undefined && request.waiting > 0) {
    lines.push(
      request.waiting === 1
        ? "1 more call of this answer waits"
        : `${request.waiting} more calls of this answer wait`,
    );
  }
  if (whole) lines.push(`SHA-256 of the arguments: ${judgedLine(request.argumentsHash)}`);
  if (diff !== undefined) lines.push("", diff.text);
  const cut = args.cut || paths.cut || (diff?.cut ?? false);
  lines.push(
    "",
    `[1] Allow Once${once ? "" : "  [2] Session  [3] Remember"}  [4] Deny${cut ? "  (v) shows all" : ""}`,
  );
  return `${lines.join("\n")}\n`;
}

function found({ format }: PermissionRequest): readonly string[] {
  if (format === undefined) return [];
  return [
    `Found: ${format === "native" ? "native call" : `in the model's text, format ${judgedLine(format)}`}`,
  ];
}

/** Returns the paths that the call touches but its arguments do not name, such as the target of a symbolic link. */
function touched({ paths = [], arguments: args }: PermissionRequest, whole: boolean): Shortened {
  const named = new Set(Object.values(args).filter((value) => typeof value === "string"));
  const others = paths.filter(({ path }) => path !== "." && !named.has(path) && !named.has(`./${path}`));
  const all = others.map(({ path, access }) => `${access} ${judgedLine(path)}`);
  const shown = whole ? all : all.slice(0, shortPaths);
  const left = all.length - shown.length;
  return { text: [...shown, ...(left > 0 ? [`${left} more`] : [])].join(", "), cut: left > 0 };
}

/** Returns the arguments on one line. A text above `limit` loses its middle, because harm is often hidden at the end. */
export function argumentsText(args: JsonObject, whole: boolean, limit = shortChars): Shortened {
  const text = judgedLine(spacedJson(args));
  if (whole || text.length <= limit) return { text, cut: false };
  const part = Math.floor(limit / 2);
  const left = text.length - 2 * part;
  return { text: `${text.slice(0, part)} …${left} more characters… ${text.slice(-part)}`, cut: true };
}

function spacedJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(", ")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}: ${spacedJson(inner)}`)
    .join(", ")}}`;
}

function diffText(preview: string, whole: boolean): Shortened {
  const lines = judgedText(preview).replace(/\n$/, "").split("\n");
  if (whole) return { text: lines.join("\n"), cut: false };
  const shown = lines
    .slice(0, shortDiffLines)
    .map((line) => (line.length > 400 ? `${line.slice(0, 400)}…` : line));
  const left = lines.length - shown.length;
  const cut = left > 0 || lines.some((line) => line.length > 400);
  if (left > 0) shown.push(`… ${left} more lines`);
  return { text: shown.join("\n"), cut };
}
