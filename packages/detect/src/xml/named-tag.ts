/**
 * Reads calls in a tag with the name of the tool: `<read_file><path>a.txt</path></read_file>`, or with YAML between the tags:
 * `<read_file>\npath: a.txt\n</read_file>`, or with attributes: `<read_file path="a.txt"/>`. After the opening tag must come
 * arguments, a text that may be the only argument, or the end tag.
 */
import {
  parametersSchema,
  propertyNames,
  propertySchema,
  requiredNames,
  type Schema,
} from "@localharness/schema";
import { type CallDraft, draftOf, settleDraft, startDraft } from "../call/draft.ts";
import { isWrapperKey } from "../call/unwrap.ts";
import { type CallEnd, endCall, halfHere, isComplete } from "../frames/unfinished.ts";
import { noteRepair, setOwn } from "../json/result.ts";
import { decodeEntities } from "../markup/entities.ts";
import type { TagFrame } from "../markup/frame-options.ts";
import { readTagArguments } from "../markup/read-tag-call.ts";
import { argumentNames, tagRoles } from "../markup/roles.ts";
import { type ShownArguments, showArguments } from "../markup/shown-arguments.ts";
import { isPlainEnd, plainTags, type Tag, tagHere } from "../markup/tag.ts";
import { typeText } from "../markup/type-text.ts";
import { colon, lessThan, openBrace } from "../scan/characters.ts";
import { at, endOf, type Input, peek, type Reader, skipSpace, spaceEnd, take } from "../scan/input.ts";
import { Rope } from "../scan/rope.ts";
import { framedOpener, type Opener, openersHere, type Scan } from "../scan/scan.ts";
import type { FormatId, JsonObject, Repair, ToolSchema } from "../types.ts";
import { parseKeyedText } from "../yaml/keyed-text.ts";
import { parseYamlArguments, yamlReader } from "../yaml/read-yaml.ts";
import { canHoldText, canOnlyBeCall, onlyText, textArguments } from "./bare-text.ts";
import { parseXmlArguments } from "./read-xml.ts";
import { objectIn } from "./written-object.ts";
import { readXmlBody } from "./xml-body.ts";

/** The maximum length, in characters, of a body that begins with text, and of arguments inside the tag itself. */
const bareTextLimit = 4000;

/** The maximum length of a name that may be a tag of a document, such as `<a>` or `<li>`. It is a call only with its end tag. */
const maxDocumentTag = 2;

export function namedTagOpeners(tools: readonly ToolSchema[], format: "morph-xml" | "yaml-xml"): Opener[] {
  return tools.flatMap((tool) => {
    const read: Opener["read"] = (scan, mark) => readNamedTag(scan, mark, tool, format);
    const openers = [">", "/>", " ", "\n"].map((end) => framedOpener(`<${tool.name}${end}`, format, read));
    return format === "morph-xml" ? [...openers, spacedOpener(tool)] : openers;
  });
}

/** Returns an opener for `< git_status/>`, a call of a tool without required arguments. */
function spacedOpener(tool: ToolSchema): Opener {
  const literal = `< ${tool.name}/>`;
  return framedOpener(literal, "morph-xml", function* (scan, mark) {
    if (requiredNames(parametersSchema(tool.parameters)).length > 0) return false;
    yield* take(scan.input, literal);
    const draft = draftOf(tool, mark, "morph-xml", "framed");
    draft.args = {};
    return settleDraft(scan, draft);
  });
}

function* readNamedTag(scan: Scan, mark: number, tool: ToolSchema, format: FormatId): Reader<boolean> {
  const draft = draftOf(tool, mark, format, "framed");
  const schema = parametersSchema(tool.parameters);
  const tag = yield* tagHere(scan.input, plainTags);
  if (tag === undefined) {
    return format === "morph-xml" && (yield* readInsideTag(scan, draft, tool, schema));
  }
  if (tag.name !== tool.name) return false;
  const attributes = attributeArguments(tag, schema) ?? bodyInTag(tag, format, draft.repairs);
  if (!attributes) return false;
  scan.input.pos += tag.length;
  if (tag.kind === "empty") {
    draft.args = attributes;
    return settleDraft(scan, draft);
  }
  if (Object.keys(attributes).length > 0) return false;
  const kind = (yield* bodyKind(scan, tool, schema)) ?? (yield* bareKind(scan, tool));
  if (kind === undefined || (kind !== "empty" && (kind === "yaml") !== (format === "yaml-xml"))) return false;
  const call: NamedCall = { scan, draft, tool, schema };
  const mayBeDocument = tool.name.length <= maxDocumentTag;
  if (mayBeDocument && !scan.out.isAside) scan.out.begin();
  if (kind === "xml") yield* readXmlCall(call);
  else if (kind === "tags") yield* readTaggedCall(call);
  else if (kind === "yaml") yield* readYamlCall(call);
  else if (!(yield* readTextCall(call, kind))) return false;
  if (mayBeDocument && !scan.input.rawFrom(mark).trimEnd().endsWith(`${tool.name}>`)) return false;
  return settleDraft(scan, draft);
}

interface NamedCall {
  readonly scan: Scan;
  readonly draft: CallDraft;
  readonly tool: ToolSchema;
  readonly schema: Schema;
}

function startShown({ scan, draft }: NamedCall): ShownArguments {
  startDraft(scan, draft);
  return showArguments(scan, draft);
}

function* readXmlCall(call: NamedCall): Reader<void> {
  const { scan, draft, tool, schema } = call;
  const { input } = scan;
  const shown = startShown(call);
  const start = input.offset;
  // The body may turn out to be bare text. Then it is one argument, so only that argument is shown.
  const body = yield* readXmlBody(scan, tool.name, schema, shown, onlyText(schema));
  const end = body.end === "other" ? yield* takeEnd(scan, tool.name) : body.end;
  if (end !== undefined) {
    for (const repair of body.repairs) noteRepair(draft.repairs, repair);
    const isWhole = end !== "cut" && isComplete(body.args, schema);
    return endCall(input, draft, body.args, end === "cut" ? "text-end" : end, isWhole);
  }
  shown.abandon();
  const elements = input.rawFrom(start);
  const rest = yield* readBody(call, Number.POSITIVE_INFINITY);
  endAsText(call, { ...rest, text: elements + rest.text });
}

/** Reads a call whose arguments have tags of another format: `<parameter name="path">a.txt</parameter>`. */
function* readTaggedCall({ scan, draft, tool }: NamedCall): Reader<void> {
  const frame: TagFrame = { open: "", format: "morph-xml", style: plainTags, frames: [] };
  const roles = tagRoles([]);
  const isEnd = (tag: Tag) => tag.kind === "close" && tag.name === tool.name;
  yield* readTagArguments(scan, frame, (tag) => (isEnd(tag) ? "call-end" : roles(tag)), draft);
}

/** Matches a text that ends in an end tag, or in a line with a key and its value, and not in half an argument. */
const lastIsWhole = /(?:<\/[^<>]+>\s*|(?<![^\n])(?:[|>]|[^\S\n])*[^|>\s][^\n:]*:.*\n)$/;

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
  const isWhole = lastIsWhole.test(body.text.slice(-400)) && isComplete(args, schema);
  endCall(call.scan.input, draft, args, body.end, isWhole);
}

/** Reads a call that has text in place of elements, or nothing. Returns false if it is not a call. */
function* readTextCall(call: NamedCall, kind: "text" | "empty"): Reader<boolean> {
  const { schema } = call;
  const body = yield* readBody(call, kind === "text" ? bareTextLimit : Number.POSITIVE_INFINITY);
  const args = kind === "empty" ? parseXmlArguments(body.text, schema, call.draft.repairs) : undefined;
  if (args) endCall(call.scan.input, call.draft, args, body.end, false);
  else if (kind === "empty") endAsText(call, body);
  else if (isBareCall(call, body)) endAsText(call, body);
  else return false;
  return true;
}

function bodyArguments(text: string, schema: Schema, repairs: Repair[]): JsonObject | undefined {
  return objectIn(text, schema, repairs) ?? textArguments(text, schema, repairs);
}

/** Ends a call whose body has no tags or keys of arguments. The body may be the text of the only argument. */
function endAsText({ draft, schema }: NamedCall, body: Body): void {
  const omitted: Repair[] = [];
  const args = body.end === "tag" ? bodyArguments(body.text, schema, omitted) : undefined;
  for (const repair of omitted) noteRepair(draft.repairs, repair);
  if (args) draft.args = args;
  else draft.outcome = body.end === "text-end" ? "cut" : "broken";
}

/** Reads `<read_file\n<path>a.txt</path>\n/>`, with the arguments in place of attributes. */
function* readInsideTag(scan: Scan, draft: CallDraft, tool: ToolSchema, schema: Schema): Reader<boolean> {
  scan.input.pos += tool.name.length + 1;
  if ((yield* bodyKind(scan, tool, schema)) !== "xml") return false;
  const body = yield* readBody({ scan, draft, tool, schema }, bareTextLimit, undefined, true);
  const args = body.end === "tag" ? parseXmlArguments(body.text, schema, draft.repairs) : undefined;
  if (!args) return false;
  noteRepair(draft.repairs, "wrong-end-tag");
  draft.args = args;
  return settleDraft(scan, draft);
}

/** Returns the arguments in `<read_file path="a.txt"/>`; undefined if the tag has an unknown one or other text. */
function attributeArguments(tag: Tag, schema: Schema): JsonObject | undefined {
  const args: JsonObject = {};
  if (tag.value !== undefined && tag.attributes.size === 0) return undefined;
  for (const [key, text] of tag.attributes) {
    const inner = propertySchema(schema, key);
    if (!inner) return undefined;
    setOwn(args, key, typeText(decodeEntities(text), inner, "text"));
  }
  return args;
}

/** Returns the arguments in `<read_file\npath: a.txt\n/>`, with YAML inside the tag itself. */
function bodyInTag(tag: Tag, format: FormatId, repairs: Repair[]): JsonObject | undefined {
  if (tag.kind !== "empty" || tag.value === undefined || format !== "yaml-xml") return undefined;
  return parseYamlArguments(tag.value, repairs);
}

/** Returns true if text in place of tags is a call: it can be read as an argument, or the tag can only be a call. */
function isBareCall({ scan, tool, schema }: NamedCall, body: Body): boolean {
  if (body.end !== "tag") return false;
  const before = scan.out.recentText();
  if (canOnlyBeCall(tool.name, before)) return true;
  const isKeyed = /^\s*[\w-]+:\s/.test(body.text);
  return !isKeyed && canHoldText(tool.name, before) && bodyArguments(body.text, schema, []) !== undefined;
}

/**
 * Returns `text` for a body without an argument if its tag can only be a call, so that an unreadable call is an error. If a call
 * in other markup begins inside the tag, that call is read.
 */
function* bareKind(scan: Scan, tool: ToolSchema): Reader<BodyKind | undefined> {
  if (!canOnlyBeCall(tool.name, scan.out.recentText())) return undefined;
  const { input } = scan;
  const start = input.offset;
  yield* skipSpace(input);
  const calls = (yield* openersHere(scan))?.values.filter(({ kind }) => kind === "framed") ?? [];
  input.rewind(start);
  return calls.length > 0 ? undefined : "text";
}

type BodyKind = "xml" | "tags" | "yaml" | "text" | "empty";

/** Returns the kind of the body, judged by its first characters; undefined if the tag does not begin a call of this tool. */
function* bodyKind(scan: Scan, tool: ToolSchema, schema: Schema): Reader<BodyKind | undefined> {
  const { input } = scan;
  const ahead = yield* spaceEnd(input, 0, 200);
  const code = yield* peek(input, ahead);
  if (code === -1) return undefined;
  if (code === lessThan) {
    const name = yield* wordAt(scan, ahead + 1);
    if (name === "/") return (yield* wordAt(scan, ahead + 2)) === tool.name ? "empty" : undefined;
    if (name === "!" || name === "?") return "xml";
    const tag = argumentNames.has(name) ? yield* tagHere(input, plainTags, ahead) : undefined;
    if (tag?.value !== undefined && propertySchema(schema, tag.value) !== undefined) return "tags";
    const isXml = takesArgument(schema, name) || (yield* argumentNear(scan, schema, ahead, "<", ">"));
    return isXml ? "xml" : undefined;
  }
  if (code === openBrace && (yield* argumentNear(scan, schema, ahead, "", ""))) return "text";
  const key = yield* wordAt(scan, ahead);
  const isKey = key !== "" && (yield* peek(input, ahead + key.length)) === colon;
  if (isKey && (takesArgument(schema, key) || (yield* argumentNear(scan, schema, ahead, "\n", ":")))) {
    return "yaml";
  }
  return onlyText(schema) === undefined ? undefined : "text";
}

/** Returns true if an argument of the tool is in the next 300 characters, after an argument that the tool does not have. */
function* argumentNear(
  scan: Scan,
  schema: Schema,
  ahead: number,
  before: string,
  after: string,
): Reader<boolean> {
  const { input } = scan;
  yield* peek(input, ahead + 300);
  const near = input.text.slice(input.pos + ahead, input.pos + ahead + 300);
  return propertyNames(schema).some((name) => near.includes(`${before}${name}${after}`));
}

const maxWord = 80;

/** Returns the word at distance `ahead`, or the one character there if it is not in a word; "" for too long a word. */
function* wordAt(scan: Scan, ahead: number): Reader<string> {
  const { input } = scan;
  const isPart = (code: number) => /[\p{L}\p{N}_.-]/u.test(String.fromCharCode(code));
  const end = yield* endOf(input, ahead, maxWord, isPart);
  if (end === ahead + maxWord) return "";
  return input.text.slice(input.pos + ahead, input.pos + Math.max(end, ahead + 1));
}

function takesArgument(schema: Schema, name: string): boolean {
  const declared = propertyNames(schema);
  return declared.length === 0
    ? /^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(name)
    : propertySchema(schema, name) !== undefined || (isWrapperKey(name) && name !== "input");
}

interface Body {
  readonly text: string;
  /** With `other`, the text is longer than the limit. */
  readonly end: CallEnd;
}

/**
 * Reads the body up to the end tag, and moves past that tag. If the tool has an argument with the tool's name, its tags are
 * counted so that they do not end the body. With `inTag` the body is inside a tag, and `/>` after an argument ends it too.
 */
function* readBody(
  { scan, tool: { name }, schema }: NamedCall,
  limit: number,
  onPiece?: (piece: string) => void,
  inTag = false,
): Reader<Body> {
  const { input } = scan;
  const nests = propertySchema(schema, name) !== undefined;
  const text = new Rope();
  const add = (piece: string) => {
    text.add(piece);
    onPiece?.(piece);
  };
  for (let depth = 0; ; ) {
    const isAtEnd = readToBracket(input, add);
    if (text.length > limit) return { text: text.from(0), end: "other" };
    if (isAtEnd) {
      if (input.ended) return { text: text.from(0), end: "text-end" };
      input.absorb = () => text.length <= limit && readToBracket(input, add);
      yield;
      continue;
    }
    if (nests && (yield* at(input, `<${name}>`))) depth += 1;
    const start = input.offset;
    const end = yield* takeEnd(scan, name);
    if (end === "tag" && depth > 0) {
      depth -= 1;
      add(input.rawFrom(start));
      continue;
    }
    if (end !== undefined) return { text: text.from(0), end };
    const last = inTag ? yield* takeLastClose(scan) : undefined;
    if (last !== undefined) return { text: text.from(0) + last, end: "tag" };
    input.pos += 1;
    add("<");
  }
}

/** Moves over text up to the next `<`. Returns true if the window has none. */
function readToBracket(input: Input, add: (piece: string) => void): boolean {
  const { text, pos } = input;
  const found = text.indexOf("<", pos);
  const end = found < 0 ? text.length : found;
  input.pos = end;
  if (end > pos) add(text.slice(pos, end));
  return found < 0;
}

/** Moves over an end tag with `/>` after it, and returns the end tag; undefined if there is none. */
function* takeLastClose(scan: Scan): Reader<string | undefined> {
  const { input } = scan;
  const tag = yield* tagHere(input, plainTags);
  if (tag?.kind !== "close") return undefined;
  const ahead = yield* spaceEnd(input, tag.length, 80);
  if (!(yield* at(input, "/>", ahead))) return undefined;
  const text = input.text.slice(input.pos, input.pos + tag.length);
  input.pos += ahead + 2;
  return text;
}

/** Moves over the end tag of the call, or over half of it at the end of the reply; undefined if there is none. */
function* takeEnd({ input }: Scan, name: string): Reader<"tag" | "half-tag" | undefined> {
  const tag = yield* tagHere(input, plainTags);
  if (tag && isPlainEnd(tag, name)) {
    input.pos += tag.length;
    return "tag";
  }
  if ((yield* halfHere(input, [`</${name}>`], 3)) === undefined) return undefined;
  input.pos = input.text.length;
  return "half-tag";
}
