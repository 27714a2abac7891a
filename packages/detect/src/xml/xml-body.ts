/** Reads the elements in a tag with the name of a tool while they come, and shows them as arguments. */
import { propertySchema, type Schema, typesOf } from "@localharness/schema";
import type { ShownArguments, ShownText } from "../markup/shown-arguments.ts";
import type { Reader } from "../scan/input.ts";
import type { Session } from "../scan/session.ts";
import type { JsonObject, Repair } from "../types.ts";
import { type Element, readElements } from "./read-elements.ts";
import { XmlArguments } from "./read-xml.ts";

export interface XmlBody {
  /**
   * The text ended after an element (`text-end`) or inside one (`cut`), or else something `other` follows, such as an end tag.
   */
  readonly end: "text-end" | "other" | "cut";
  readonly args: JsonObject;
  readonly repairs: readonly Repair[];
}

/** Reads elements up to any other text. With `only`, shows only that argument. */
export function* readXmlBody(
  looking: Session,
  tool: string,
  schema: Schema,
  shown: ShownArguments,
  only: string | undefined,
): Reader<XmlBody> {
  const repairs: Repair[] = [];
  const args = new XmlArguments(schema, repairs);
  let text: ShownText | undefined;
  /** The name of the current list. More elements with this name belong to it. */
  let list: string | undefined;
  const show = (name: string) => {
    if (only === undefined || only === name) shown.value(name, args.value(name));
  };
  const onBegin = (name: string, isText: boolean) => {
    if (list !== undefined && list !== name) show(list);
    if (list !== name) list = undefined;
    const shows = isText && (only === undefined || only === name);
    text = shows ? shown.text(name, { tail: "space", oneLine: true, entities: true }) : undefined;
    return text;
  };
  const onElement = (element: Element) => {
    const { name } = element;
    args.add(element);
    if (text) return text.end(args.value(name));
    const inner = propertySchema(schema, name);
    if (inner && typesOf(inner).has("array")) list = name;
    else show(name);
  };
  const end = yield* readElements({ looking, schema, repairs, tool, onBegin, onElement });
  return { end, args: args.all(), repairs };
}
