/** Finds the reason in what a server says of an error: a body or a part of a stream, whatever its shape and its keys are. */
import { isJsonObject, type JsonObject } from "@localharness/protocol";
import { innerMessage } from "../answer/inner-message.ts";

/**
 * The maximum length of a server's message that is shown. The message may be a whole page, whose beginning says what is
 * wrong.
 */
export const maxErrorChars = 1_000;

/** The keys of a reason. Their texts are shown in this order. */
const reasonKeys: readonly string[] = [
  ["error", "message", "msg", "title", "detail", "details", "errors", "reason", "description"],
  ["error_description", "error_message", "errorMessage", "cause", "metadata", "raw", "fieldViolations"],
].flat();

/** The keys of the place that an error in a list of errors is about. */
const placeKeys: readonly string[] = ["loc", "field", "path", "pointer", "param"];

/** Keys whose text is no reason: copies of the request, ids and names of types. */
const otherKeys: ReadonlySet<string> = new Set([
  ...["input", "ctx", "url", "id", "request_id", "object", "type", "model", "created_at", "timestamp"],
  ...["loc", "param", "code", "status"],
]);

/** Matches a text that only repeats the HTTP status. */
const statusPhrase =
  /^(?:error|fail(?:ed|ure)?|bad request|unprocessable (?:entity|content)|internal (?:server )?error|not found|forbidden|invalid[_ ]request(?:[_ ]error)?|payload too large|provider returned error)\.?$/i;

const maxErrorsInList = 5;
const maxTexts = 4;

/**
 * Returns the server's reason from an error body, at most 1,000 characters of it: the texts under the keys of a reason, else the
 * longest text. Returns undefined if there is no text in the first `levels` levels of nesting.
 */
export function errorText(body: unknown, levels = 8): string | undefined {
  const text = reasonIn(body, levels) ?? longestText(errorPart(body), levels);
  return text?.slice(0, maxErrorChars);
}

/** Returns the texts under the keys of a reason; undefined if there are none. */
export function reasonIn(body: unknown, levels = 8): string | undefined {
  if (levels === 0) return undefined;
  if (typeof body === "string") return body.trim() === "" ? undefined : innerText(body, levels);
  if (Array.isArray(body)) {
    return joined(body.slice(0, maxErrorsInList).map((item) => itemText(item, levels)));
  }
  if (!isJsonObject(body)) return undefined;
  const texts = reasonKeys.map((key) => underKey(body, key, levels));
  return joined(texts);
}

/** Returns the reason in the text of an error body, at most 1,000 characters of it; empty if the body has no text. */
export function reasonOfBody(body: string): string {
  if (looksLikeHtml(body)) return pageText(body);
  for (const text of [body, ...body.split("\n", 20)]) {
    try {
      const reason = errorText(JSON.parse(text.replace(/^\s*data:/, "")));
      if (reason !== undefined) return reason.trim();
    } catch {
      // A line that is not JSON may be followed by one that is.
    }
  }
  return body.trim().slice(0, maxErrorChars);
}

/** Returns true for a web page, which a wrong address or the login page of a proxy sends in place of data. */
export function looksLikeHtml(text: string): boolean {
  return /^\s*<(!doctype|html|head|body)/i.test(text.slice(0, 200));
}

function underKey(body: JsonObject, key: string, levels: number): string | undefined {
  const value = body[key];
  const text = reasonIn(value, levels - 1);
  if (text !== undefined || !isJsonObject(value) || !/^(?:errors|details?)$/.test(key)) return text;
  // Errors by the field that they are about: `{"tools": ["too many"]}`.
  const fields = Object.entries(value).slice(0, maxErrorsInList);
  return joined(fields.map(([field, said]) => withPlace(field, reasonIn(said, levels - 2))));
}

/** Returns the text of one error in a list, with the place that it is about. */
function itemText(item: unknown, levels: number): string | undefined {
  const text = reasonIn(item, levels - 1);
  if (!isJsonObject(item)) return text;
  const place = placeKeys.map((key) => item[key]).find((value) => value !== undefined && value !== null);
  return withPlace(Array.isArray(place) ? place.join(".") : place, text);
}

function withPlace(place: unknown, text: string | undefined): string | undefined {
  if (typeof place !== "string" || place === "" || text === undefined || text.includes(place)) return text;
  return `${place}: ${text}`;
}

/** Joins the texts that add something to the others. Texts that only repeat the HTTP status count only if there is no other. */
function joined(given: readonly (string | undefined)[]): string | undefined {
  const all = given.filter((text) => text !== undefined);
  const telling = all.filter((text) => !statusPhrase.test(text.trim()));
  const texts = telling.length === 0 ? all.slice(0, 1) : telling;
  const distinct = texts.filter(
    (text, index) => !texts.some((other, at) => other.includes(text) && (other !== text || at < index)),
  );
  return distinct.length === 0 ? undefined : distinct.slice(0, maxTexts).join("; ");
}

function innerText(text: string, levels: number): string {
  return innerMessage(text, (inner) => reasonIn(inner, levels - 1)).slice(0, maxErrorChars);
}

function errorPart(body: unknown): unknown {
  return isJsonObject(body) && isJsonObject(body["error"]) ? body["error"] : body;
}

function longestText(value: unknown, levels: number): string | undefined {
  if (levels === 0) return undefined;
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  if (typeof value !== "object" || value === null) return undefined;
  const parts = Array.isArray(value)
    ? value.slice(0, 100)
    : Object.entries(value).flatMap(([key, inner]) => (otherKeys.has(key) ? [] : [inner]));
  const texts = parts.map((part) => longestText(part, levels - 1) ?? "");
  const longest = texts.reduce((one, other) => (other.length > one.length ? other : one), "");
  return longest === "" ? undefined : longest;
}

/** The maximum number of characters of a page that are looked at. */
const maxPageChars = 8_000;
/** The maximum number of characters of a page that are shown. */
const maxPageText = 200;

/** Returns what came, and the first words of the page. */
function pageText(html: string): string {
  const text = html
    .slice(0, maxPageChars)
    .replace(/<(script|style)\b[^<]*(?:<(?!\/\1)[^<]*)*(?:<\/\1>|$)/gi, " ")
    .replace(/<[^<>]*>|<!--|-->/g, " ")
    .replace(/&nbsp;/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  const words = text.length > maxPageText ? `${text.slice(0, maxPageText)}…` : text;
  return words === "" ? "a web page instead of JSON" : `a web page instead of JSON: ${words}`;
}
