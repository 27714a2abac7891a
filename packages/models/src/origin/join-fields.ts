/**
 * Joins the pieces of fields that come in deltas. Text is appended, unless each piece repeats the piece before, as labels and
 * cumulative texts do. Objects are merged. Elements of lists are merged if they have the same index or id.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";

interface TextNode {
  readonly kind: "text";
  /** All pieces so far; empty once the text is known to be cumulative. */
  joined: string;
  last: string;
  pieces: number;
  /** True if each piece begins with the piece before. */
  repeats: boolean;
}
interface ListNode {
  readonly kind: "list";
  readonly items: Node[];
}
interface ObjectNode {
  readonly kind: "object";
  readonly members: Map<string, Node>;
}
interface ValueNode {
  readonly kind: "value";
  readonly value: JsonValue;
}
type Node = TextNode | ListNode | ObjectNode | ValueNode;

/** The maximum number of characters of all fields of one answer. Fields beyond it are dropped together. */
export const maxFieldChars = 512 * 1024;
/** The length of a repeated piece, in characters, from which a text is known to be cumulative. */
const surelyRepeated = 200;

export interface FieldJoiner {
  /** Adds the fields of one delta. Fields that are null or empty bring nothing. */
  push(fields: JsonObject): void;
  /** Returns the joined fields; undefined if there are none, or if they are longer than the maximum. */
  value(): JsonObject | undefined;
}

export function createFieldJoiner(maxChars: number = maxFieldChars): FieldJoiner {
  const root: ObjectNode = { kind: "object", members: new Map() };
  /** The characters that came since the joined fields were measured, and those that they took then. */
  let chars = 0;
  let isTooLong = false;
  return {
    push(fields) {
      if (isTooLong) return;
      for (const [key, value] of Object.entries(fields)) {
        if (isEmpty(value)) continue;
        chars += sizeOf(value);
        addMember(root, key, value);
      }
      if (chars > maxChars) chars = joinedSize(root);
      if (chars <= maxChars) return;
      isTooLong = true;
      root.members.clear();
    },
    value: () => (root.members.size === 0 ? undefined : (joinedValue(root) as JsonObject)),
  };
}

function isEmpty(value: JsonValue): boolean {
  if (value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function sizeOf(value: JsonValue): number {
  return typeof value === "string" ? value.length : JSON.stringify(value).length;
}

/** Returns the characters that the joined fields take, which are fewer than those that came if texts were repeated. */
function joinedSize(root: ObjectNode): number {
  return JSON.stringify(joinedValue(root)).length;
}

function addMember({ members }: ObjectNode, key: string, value: JsonValue): void {
  const next = merged(members.get(key), value);
  if (next !== undefined) members.set(key, next);
}

function merged(before: Node | undefined, value: JsonValue): Node | undefined {
  if (value === null) return before;
  if (typeof value === "string") return addText(before?.kind === "text" ? before : undefined, value);
  if (Array.isArray(value)) return addItems(before?.kind === "list" ? before : undefined, value);
  if (!isJsonObject(value)) return { kind: "value", value };
  const node: ObjectNode = before?.kind === "object" ? before : { kind: "object", members: new Map() };
  for (const [key, inner] of Object.entries(value)) addMember(node, key, inner);
  return node;
}

function addText(before: TextNode | undefined, piece: string): TextNode {
  if (before === undefined) return { kind: "text", joined: piece, last: piece, pieces: 1, repeats: true };
  if (piece === "") return before;
  before.repeats &&= piece.startsWith(before.last);
  before.pieces += 1;
  const isSure = before.repeats && before.pieces > 2 && before.last.length >= surelyRepeated;
  before.joined = isSure ? "" : before.joined + piece;
  before.last = piece;
  return before;
}

/** Adds the elements of one delta. Elements of the same delta are never merged with each other, unless they name one index. */
function addItems(before: ListNode | undefined, values: readonly JsonValue[]): ListNode {
  const node: ListNode = before ?? { kind: "list", items: [] };
  const known = node.items.length;
  for (const value of values) {
    const at = isJsonObject(value) ? placeOf(value, node.items, known) : -1;
    const next = merged(node.items[at], value);
    if (next === undefined) continue;
    if (at === -1) node.items.push(next);
    else node.items[at] = next;
  }
  return node;
}

/** Returns the place of the element that the value continues; -1 if it is another element. */
function placeOf(value: JsonObject, items: readonly Node[], known: number): number {
  for (const key of ["index", "id"]) {
    const name = value[key];
    if (name === undefined || name === null || name === "") continue;
    const place = items.findLastIndex((item) => memberOf(item, key) === name && isSameType(item, value));
    if (place !== -1 || key === "index") return place;
  }
  const last = items[known - 1];
  if (last?.kind !== "object" || items.length > known || value["type"] === undefined) return -1;
  // A signature closes a block; what follows it is the next block.
  return isSameType(last, value) && memberOf(last, "signature") === undefined ? known - 1 : -1;
}

function isSameType(item: Node, value: JsonObject): boolean {
  const type = memberOf(item, "type");
  return type === undefined || value["type"] === undefined || type === value["type"];
}

function memberOf(item: Node, key: string): JsonValue | undefined {
  const member = item.kind === "object" ? item.members.get(key) : undefined;
  return member === undefined ? undefined : joinedValue(member);
}

function joinedValue(node: Node): JsonValue {
  switch (node.kind) {
    case "value":
      return node.value;
    case "text":
      return node.repeats ? node.last : node.joined;
    case "list":
      return node.items.map(joinedValue);
    case "object":
      return Object.fromEntries([...node.members].map(([key, member]) => [key, joinedValue(member)]));
  }
}
