/**
 * Calls in a tag named like the tool: `<read_file><path>a.txt</path></read_file>`, or with YAML between the tags:
 * `<read_file>\npath: a.txt\n</read_file>`. It is one only when what follows the tag is an argument of that tool.
 */
import { type Draft, newDraft, settleDraft, startDraft } from "../call/draft.ts";
import { noteRepair, setOwn } from "../json/result.ts";
import { decodeEntities } from "../markup/entities.ts";
import { showArguments } from "../markup/shown-arguments.ts";
import { plainTags, type Tag, tagHere } from "../markup/tag.ts";
import { typeText } from "../markup/type-text.ts";
import { at, type Input, isSpace, peek, type Reader, take } from "../scan/input.ts";
import { Rope } from "../scan/rope.ts";
import type { Opener, Session } from "../scan/session.ts";
import {
  parametersSchema,
  propertyNames,
  propertySchema,
  requiredNames,
  type Schema,
} from "../schema/read-schema.ts";
import type { FormatId, JsonValue, Repair, ToolSchema } from "../types.ts";
import { parseKeyedText } from "../yaml/keyed-text.ts";
import { parseYamlArguments, yamlReader } from "../yaml/read-yaml.ts";
import { canHoldText, canOnlyBeCall, onlyText, textArguments } from "./bare-text.ts";
import { followXml } from "./follow-xml.ts";
import { parseXmlArguments } from "./read-xml.ts";
import { skipToEndOfText } from "./text-end.ts";

/** A text in the tag itself, without a tag of its own, is the one argument that the tool requires; up to this long. */
const bareTextLimit = 4000;

export function namedTagOpeners(tools: readonly ToolSchema[], format: "morph-xml" | "yaml-xml"): Opener[] {
  return tools.flatMap((tool) => [
    ...[">", "/>", " ", "\n"].map((end) => opener(`<${tool.name}${end}`, tool, format)),
    ...(format === "morph-xml" ? [spacedOpener(tool)] : []),
  ]);
}

/** `< git_status/>`, for a tool that needs nothing. */
function spacedOpener(tool: ToolSchema): Opener {
  const literal = `< ${tool.name}/>`;
  return {
    literal,
    format: "morph-xml",
    standing: "anywhere",
    kind: "framed",
    *read(session, mark) {
      if (requiredNames(parametersSchema(tool.parameters)).length > 0) return false;
      yield* take(session.input, literal);
      const draft = newDraft(mark, "morph-xml", "framed");
      draft.name = tool.name;
      draft.tool = tool;
      draft.args = {};
      return settleDraft(session, draft);
    },
  };
}

function opener(literal: string, tool: ToolSchema, format: FormatId): Opener {
  return {
    literal,
    format,
    standing: "anywhere",
    kind: "framed",
    read: (session, mark) => readNamedTag(session, mark, tool, format),
  };
}

function* readNamedTag(session: Session, mark: number, tool: ToolSchema, format: FormatId): Reader<boolean> {
  const draft = newDraft(mark, format, "framed");
  draft.name = tool.name;
  draft.tool = tool;
  draft.typed = format === "morph-xml";
  const schema = parametersSchema(tool.parameters);
  const tag = yield* tagHere(session.input, plainTags);
  if (tag === undefined)
    return format === "morph-xml" && (yield* readInsideTag(session, draft, tool, schema));
  if (tag.name !== tool.name) return false;
  const attributes = attributeArguments(tag, schema) ?? bodyInTag(tag, format, draft.repairs);
  if (!attributes) return false;
  session.input.pos += tag.length;
  if (tag.kind === "empty") {
    draft.args = attributes;
    return settleDraft(session, draft);
  }
  if (Object.keys(attributes).length > 0) return false;
  const kind = (yield* bodyKind(session, tool, schema)) ?? bareKind(session, tool);
  if (kind === undefined || (kind !== "empty" && (kind === "yaml") !== (format === "yaml-xml"))) return false;
  const shown = kind === "xml" || kind === "yaml" ? showArguments(session, draft) : undefined;
  if (shown) startDraft(session, draft);
  const yaml = shown && kind === "yaml" ? yamlReader({ shown, schema }) : undefined;
  // Where it may be bare text after all, only the one argument that it would be is shown.
  const onPiece = yaml?.push ?? (shown && followXml(shown, schema, onlyText(schema)));
  const body = yield* readBody(session, tool.name, {
    limit: kind === "text" ? bareTextLimit : Number.POSITIVE_INFINITY,
    nests: propertySchema(schema, tool.name) !== undefined,
    ...(kind === "xml" ? { schema } : {}),
    ...(onPiece ? { onPiece } : {}),
  });
  const omitted: Repair[] = [];
  const text = body.end === "tag" ? textArguments(body.text, schema, omitted) : undefined;
  if (kind === "text" && !isBareCall(session, tool, body, text)) return false;
  let args = yaml ? yaml.end(draft.repairs) : parseBody(kind, body.text, schema, draft.repairs);
  if (!args) {
    shown?.abandon();
    args = kind === "yaml" ? parseKeyedText(body.text, schema, draft.repairs) : undefined;
    if (!args) for (const repair of omitted) noteRepair(draft.repairs, repair);
    args ??= text;
  }
  if (!args || body.end === "cut") {
    draft.outcome = body.end === "text-end" || body.end === "cut" ? "cut" : "broken";
  } else if (body.end === "tag" || body.end === "half-tag") {
    if (body.end === "half-tag") noteRepair(draft.repairs, "half-end-tag");
    draft.args = args;
  } else {
    endWithoutTag(draft, args, body.text, schema);
  }
  return settleDraft(session, draft);
}

/** `<read_file\n<path>a.txt</path>\n/>`: the arguments in place of attributes. */
function* readInsideTag(session: Session, draft: Draft, tool: ToolSchema, schema: Schema): Reader<boolean> {
  session.input.pos += tool.name.length + 1;
  if ((yield* bodyKind(session, tool, schema)) !== "xml") return false;
  const body = yield* readBody(session, tool.name, { limit: bareTextLimit, inTag: true });
  const args = body.end === "tag" ? parseXmlArguments(body.text, schema, draft.repairs) : undefined;
  if (!args) return false;
  noteRepair(draft.repairs, "wrong-end-tag");
  draft.args = args;
  return settleDraft(session, draft);
}

/** `<read_file path="a.txt"/>`: arguments as attributes, all of which the tool must take. */
function attributeArguments(tag: Tag, schema: Schema): { [key: string]: JsonValue } | undefined {
  const args: { [key: string]: JsonValue } = {};
  if (tag.value !== undefined && tag.attributes.size === 0) return undefined;
  for (const [key, text] of tag.attributes) {
    const inner = propertySchema(schema, key);
    if (!inner) return undefined;
    setOwn(args, key, typeText(decodeEntities(text), inner, "text"));
  }
  return args;
}

/** `<read_file\npath: a.txt\n/>`: the body inside the tag itself. */
function bodyInTag(tag: Tag, format: FormatId, repairs: Repair[]): { [key: string]: JsonValue } | undefined {
  if (tag.kind !== "empty" || tag.value === undefined || format !== "yaml-xml") return undefined;
  return parseYamlArguments(tag.value, repairs);
}

function parseBody(
  kind: BodyKind,
  text: string,
  schema: Schema,
  repairs: Repair[],
): { [key: string]: JsonValue } | undefined {
  return kind === "xml" || kind === "empty" ? parseXmlArguments(text, schema, repairs) : undefined;
}

/** At the end of the reply: whole when the last argument is closed and none that is required is missing. */
function endWithoutTag(draft: Draft, args: { [key: string]: JsonValue }, text: string, schema: Schema): void {
  const complete = requiredNames(schema).every((name) => Object.hasOwn(args, name));
  if (
    complete &&
    Object.keys(args).length > 0 &&
    /(?:<\/[^<>]+>\s*|[^|>\s][^\n]*:.*\n)$/.test(text.slice(-400))
  ) {
    noteRepair(draft.repairs, "missing-end-tag");
    draft.args = args;
  } else {
    draft.outcome = "cut";
  }
}

/** Whether text in place of tags is a call: one that can be read, or at least one that can be nothing else. */
function isBareCall(session: Session, tool: ToolSchema, body: Body, text: unknown): boolean {
  if (body.end !== "tag") return false;
  const before = session.out.recentText();
  const isKeyed = /^\s*[\w-]+:\s/.test(body.text);
  return (
    canOnlyBeCall(tool.name, before) || (text !== undefined && !isKeyed && canHoldText(tool.name, before))
  );
}

/** What holds no argument is a call that cannot be read, where it can be nothing else. */
function bareKind(session: Session, tool: ToolSchema): BodyKind | undefined {
  return canOnlyBeCall(tool.name, session.out.recentText()) ? "text" : undefined;
}

type BodyKind = "xml" | "yaml" | "text" | "empty";

/** What the tag holds, by its first characters; undefined when it is not the call of this tool. */
function* bodyKind(session: Session, tool: ToolSchema, schema: Schema): Reader<BodyKind | undefined> {
  const { input } = session;
  let ahead = 0;
  while (ahead < 200 && isSpace(yield* peek(input, ahead))) ahead++;
  const code = yield* peek(input, ahead);
  if (code === -1) return undefined;
  if (code === 60) {
    const name = yield* wordAt(session, ahead + 1);
    if (name === "/") return (yield* wordAt(session, ahead + 2)) === tool.name ? "empty" : undefined;
    if (name === "!" || name === "?") return "xml";
    const isXml = takesArgument(schema, name) || (yield* argumentNear(session, schema, ahead, "<", ">"));
    return isXml ? "xml" : undefined;
  }
  const key = yield* wordAt(session, ahead);
  const isKey = key !== "" && (yield* peek(input, ahead + key.length)) === 58;
  if (isKey && (takesArgument(schema, key) || (yield* argumentNear(session, schema, ahead, "\n", ":"))))
    return "yaml";
  return onlyText(schema) === undefined ? undefined : "text";
}

/** Whether some argument of the tool stands within the next lines, behind one that it does not have. */
function* argumentNear(
  session: Session,
  schema: Schema,
  ahead: number,
  before: string,
  after: string,
): Reader<boolean> {
  const { input } = session;
  yield* peek(input, ahead + 300);
  const near = input.text.slice(input.pos + ahead, input.pos + ahead + 300);
  return propertyNames(schema).some((name) => near.includes(`${before}${name}${after}`));
}

function* wordAt(session: Session, ahead: number): Reader<string> {
  const { input } = session;
  for (let length = 0; length < 80; length++) {
    const code = yield* peek(input, ahead + length);
    const letter = String.fromCharCode(code);
    if (code !== -1 && /[\p{L}\p{N}_.-]/u.test(letter)) continue;
    return length === 0 ? letter : input.text.slice(input.pos + ahead, input.pos + ahead + length);
  }
  return "";
}

function takesArgument(schema: Schema, name: string): boolean {
  const declared = propertyNames(schema);
  return declared.length === 0
    ? /^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(name)
    : propertySchema(schema, name) !== undefined;
}

interface Body {
  readonly text: string;
  /** `cut`: the text ends inside an argument. */
  readonly end: "tag" | "half-tag" | "text-end" | "cut" | "limit";
}

interface BodyBounds {
  readonly limit: number;
  /** The body stands inside a tag: its end behind an argument counts as well. */
  readonly inTag?: boolean;
  /** The tool has an argument of its own name. */
  readonly nests?: boolean;
  /** The arguments of elements: an end tag in a text that goes on is a part of it. */
  readonly schema?: Schema;
  readonly onPiece?: (piece: string) => void;
}

/** Everything up to the end tag, which is moved over. */
function* readBody(session: Session, name: string, bounds: BodyBounds): Reader<Body> {
  const { input } = session;
  const { limit, inTag, nests, schema, onPiece } = bounds;
  const text = new Rope();
  const add = (piece: string) => {
    text.add(piece);
    onPiece?.(piece);
  };
  const body = (end: Body["end"]): Body => ({ text: text.from(0), end });
  for (let depth = 0; ; ) {
    if (text.length > limit) return body("limit");
    if (readToBracket(input, add)) {
      if (input.ended) return body("text-end");
      input.absorb = () => text.length <= limit && readToBracket(input, add);
      yield;
      continue;
    }
    if (nests && (yield* at(input, `<${name}>`))) depth++;
    const start = input.offset;
    if (yield* takeEndTag(session, name)) {
      if (depth > 0) depth--;
      else {
        const inText = schema && (yield* skipToEndOfText(session, text.from(0), name, schema));
        if (inText === undefined) return body("tag");
        if (inText === "cut") {
          input.pos = input.text.length;
          return body("cut");
        }
      }
      add(input.rawFrom(start));
      continue;
    }
    if (yield* takeHalfTag(session, name)) return body("half-tag");
    const last = inTag ? yield* takeLastClose(session) : undefined;
    if (last !== undefined) {
      add(last);
      return body("tag");
    }
    input.pos++;
    add("<");
  }
}

/** Moves over text up to a bracket. True when the window ends before one. */
function readToBracket(input: Input, add: (piece: string) => void): boolean {
  const { text, pos } = input;
  const found = text.indexOf("<", pos);
  const end = found < 0 ? text.length : found;
  input.pos = end;
  if (end > pos) add(text.slice(pos, end));
  return found < 0;
}

/** An end tag with `/>` behind it: moves over both and returns the former. */
function* takeLastClose(session: Session): Reader<string | undefined> {
  const { input } = session;
  const tag = yield* tagHere(input, plainTags);
  if (tag?.kind !== "close") return undefined;
  let ahead = tag.length;
  while (ahead < tag.length + 80 && isSpace(yield* peek(input, ahead))) ahead++;
  if (!(yield* at(input, "/>", ahead))) return undefined;
  const text = input.text.slice(input.pos, input.pos + tag.length);
  input.pos += ahead + 2;
  return text;
}

/** The reply ends inside the end tag. */
function* takeHalfTag(session: Session, name: string): Reader<boolean> {
  const { input } = session;
  const tag = `</${name}>`;
  if ((yield* peek(input, tag.length - 1)) !== -1) return false;
  const rest = input.text.slice(input.pos).trimEnd();
  if (rest.length < 3 || !tag.startsWith(rest)) return false;
  input.pos = input.text.length;
  return true;
}

/** `</name>`, also with white space inside. */
function* takeEndTag(session: Session, name: string): Reader<boolean> {
  const { input } = session;
  if ((yield* peek(input, 1)) !== 47) return false;
  let ahead = 2;
  while (isSpace(yield* peek(input, ahead)) && ahead < 10) ahead++;
  for (let index = 0; index < name.length; index++) {
    if ((yield* peek(input, ahead + index)) !== name.charCodeAt(index)) return false;
  }
  ahead += name.length;
  while (isSpace(yield* peek(input, ahead)) && ahead < name.length + 20) ahead++;
  if ((yield* peek(input, ahead)) !== 62) return false;
  input.pos += ahead + 1;
  return true;
}
