/** Reads the elements in a tag with the name of a tool while they come, and shows them as arguments. */
import type { Schema } from "@localharness/schema";
import type { ShownArguments, ShownText } from "../markup/shown-arguments.ts";
import type { Reader } from "../scan/input.ts";
import type { Scan } from "../scan/scan.ts";
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
  looking: Scan,
  tool: string,
  schema: Schema,
  shown: ShownArguments,
  only: string | undefined,
): Reader<XmlBody> {
  const repairs: Repair[] = [];
  const args = new XmlArguments(schema, repairs);
  let text: ShownText | undefined;
  /** The name of the last element that is no text. More elements with this name may follow, which make it a list. */
  let last: string | undefined;
  /** The names of the arguments that were shown. Each is shown only once before the end, because a list may be long. */
  const known = new Set<string>();
  const mayShow = (name: string) => only === undefined || only === name;
  const onBegin = (name: string, isText: boolean) => {
    if (last !== undefined && last !== name) {
      if (mayShow(last) && !known.has(last)) shown.value(last, args.value(last));
      known.add(last);
      last = undefined;
    }
    const shows = isText && mayShow(name);
    text = shows ? shown.text(name, { tail: "space", oneLine: true, entities: true }) : undefined;
    return text;
  };
  const onElement = (element: Element) => {
    const { name } = element;
    args.add(element);
    if (text) text.end(args.value(name));
    else last = name;
  };
  const end = yield* readElements({ looking, schema, repairs, tool, onBegin, onElement });
  return { end, args: args.all(), repairs };
}
