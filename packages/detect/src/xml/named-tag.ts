/**
 * Calls in a tag named like the tool: `<read_file><path>a.txt</path></read_file>`, or with YAML between the tags:
 * `<read_file>\npath: a.txt\n</read_file>`. It is one only when what follows the tag is an argument of that tool.
 */
import { type Draft, draftOf, settleDraft, startDraft } from "../call/draft.ts";
import { halfHere, isComplete } from "../frames/unfinished.ts";
import { noteRepair, setOwn } from "../json/result.ts";
import { decodeEntities } from "../markup/entities.ts";
import { type ShownArguments, showArguments } from "../markup/shown-arguments.ts";
import { isPlainEnd, plainTags, type Tag, tagHere } from "../markup/tag.ts";
import { typeText } from "../markup/type-text.ts";
import { at, type Input, peek, type Reader, spaceEnd, take } from "../scan/input.ts";
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
import { parseXmlArguments } from "./read-xml.ts";
import { readXmlBody } from "./xml-body.ts";

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
      const draft = draftOf(tool, mark, "morph-xml", "framed");
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
  const draft = draftOf(tool, mark, format, "framed");
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
  const call: NamedCall = { session, draft, tool, schema };
  if (kind === "xml") yield* readXmlCall(call);
  else if (kind === "yaml") yield* readYamlCall(call);
  else if (!(yield* readTextCall(call, kind))) return false;
  return settleDraft(session, draft);
}

/** A call whose tag has been read. */
interface NamedCall {
  readonly session: Session;
  readonly draft: Draft;
  readonly tool: ToolSchema;
  readonly schema: Schema;
}

function startShown({ session, draft }: NamedCall): ShownArguments {
  startDraft(session, draft);
  return showArguments(session, draft);
}

function* readXmlCall(call: NamedCall): Reader<void> {
  const { session, draft, tool, schema } = call;
  const { input } = session;
  const shown = startShown(call);
  const start = input.offset;
  // Where it may be bare text after all, only the one argument that it would be is shown.
  const body = yield* readXmlBody(session, tool.name, schema, shown, onlyText(schema));
  const end = body.end === "other" ? yield* takeEnd(session, tool.name) : body.end;
  if (end !== undefined) {
    for (const repair of body.repairs) noteRepair(draft.repairs, repair);
    return endCall(call, end, body.args, true);
  }
  shown.abandon();
  const elements = input.rawFrom(start);
  const rest = yield* readBody(call, Number.POSITIVE_INFINITY);
  endAsText(call, { ...rest, text: elements + rest.text });
}

function* readYamlCall(call: NamedCall): Reader<void> {
  const { draft, schema } = call;
  const shown = startShown(call);
  const yaml = yamlReader({ shown, schema });
  const body = yield* readBody(call, Number.POSITIVE_INFINITY, yaml.push);
  let args = yaml.end(draft.repairs);
  if (!args) {
    shown.abandon();
    args = parseKeyedText(body.text, schema, draft.repairs);
  }
  if (!args) return endAsText(call, body);
  endCall(call, body.end, args, /(?:<\/[^<>]+>\s*|[^|>\s][^\n]*:.*\n)$/.test(body.text.slice(-400)));
}

/** A call with a text in place of elements, or with nothing; false when it is none. */
function* readTextCall(call: NamedCall, kind: "text" | "empty"): Reader<boolean> {
  const { session, tool, schema } = call;
  const body = yield* readBody(call, kind === "text" ? bareTextLimit : Number.POSITIVE_INFINITY);
  const args = kind === "empty" ? parseXmlArguments(body.text, schema, call.draft.repairs) : undefined;
  if (args) endCall(call, body.end, args, false);
  else if (kind === "empty") endAsText(call, body);
  else if (isBareCall(session, tool, body, textArguments(body.text, schema))) endAsText(call, body);
  else return false;
  return true;
}

/** Ends a call whose arguments are known, by what stands in place of its end tag. */
function endCall(
  { draft, schema }: NamedCall,
  end: Body["end"] | "cut",
  args: { [key: string]: JsonValue },
  isFinished: boolean,
): void {
  if (end === "half-tag") noteRepair(draft.repairs, "half-end-tag");
  else if (end === "text-end" && isFinished && isComplete(args, schema))
    noteRepair(draft.repairs, "missing-end-tag");
  else if (end !== "tag") {
    draft.outcome = "cut";
    return;
  }
  draft.args = args;
}

/** Ends a call whose body has no arguments but may be the text of one. */
function endAsText({ draft, schema }: NamedCall, body: Body): void {
  const omitted: Repair[] = [];
  const args = body.end === "tag" ? textArguments(body.text, schema, omitted) : undefined;
  for (const repair of omitted) noteRepair(draft.repairs, repair);
  if (args) draft.args = args;
  else draft.outcome = body.end === "text-end" ? "cut" : "broken";
}

/** `<read_file\n<path>a.txt</path>\n/>`: the arguments in place of attributes. */
function* readInsideTag(session: Session, draft: Draft, tool: ToolSchema, schema: Schema): Reader<boolean> {
  session.input.pos += tool.name.length + 1;
  if ((yield* bodyKind(session, tool, schema)) !== "xml") return false;
  const body = yield* readBody({ session, draft, tool, schema }, bareTextLimit, undefined, true);
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
  const ahead = yield* spaceEnd(input, 0, 200);
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

/** Whether some argument of the tool stands within the next lines, after one that it does not have. */
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
  readonly end: "tag" | "half-tag" | "text-end" | "limit";
}

/**
 * Everything up to the end tag, which is moved over. Where the tool has an argument of its own name, those are balanced. With
 * `inTag` the body stands inside a tag, whose end after an argument counts as well.
 */
function* readBody(
  { session, tool: { name }, schema }: NamedCall,
  limit: number,
  onPiece?: (piece: string) => void,
  inTag = false,
): Reader<Body> {
  const { input } = session;
  const nests = propertySchema(schema, name) !== undefined;
  const text = new Rope();
  const add = (piece: string) => {
    text.add(piece);
    onPiece?.(piece);
  };
  for (let depth = 0; ; ) {
    if (text.length > limit) return { text: text.from(0), end: "limit" };
    if (readToBracket(input, add)) {
      if (input.ended) return { text: text.from(0), end: "text-end" };
      input.absorb = () => text.length <= limit && readToBracket(input, add);
      yield;
      continue;
    }
    if (nests && (yield* at(input, `<${name}>`))) depth++;
    const start = input.offset;
    const end = yield* takeEnd(session, name);
    if (end === "tag" && depth > 0) {
      depth--;
      add(input.rawFrom(start));
      continue;
    }
    if (end !== undefined) return { text: text.from(0), end };
    const last = inTag ? yield* takeLastClose(session) : undefined;
    if (last !== undefined) return { text: text.from(0) + last, end: "tag" };
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

/** An end tag with `/>` after it: moves over both and returns the former. */
function* takeLastClose(session: Session): Reader<string | undefined> {
  const { input } = session;
  const tag = yield* tagHere(input, plainTags);
  if (tag?.kind !== "close") return undefined;
  const ahead = yield* spaceEnd(input, tag.length, 80);
  if (!(yield* at(input, "/>", ahead))) return undefined;
  const text = input.text.slice(input.pos, input.pos + tag.length);
  input.pos += ahead + 2;
  return text;
}

/** Moves over the end tag of the call, or over the part of it in which the reply ends. */
function* takeEnd({ input }: Session, name: string): Reader<"tag" | "half-tag" | undefined> {
  const tag = yield* tagHere(input, plainTags);
  if (tag && isPlainEnd(tag, name)) {
    input.pos += tag.length;
    return "tag";
  }
  if ((yield* halfHere(input, [`</${name}>`], 3)) === undefined) return undefined;
  input.pos = input.text.length;
  return "half-tag";
}
