/** Tells the end tag of a call from one that stands in a text of it, as in a file about tool calls. */
import { endOfNested } from "../markup/nested-calls.ts";
import type { TagRoles } from "../markup/roles.ts";
import { plainTags } from "../markup/tag.ts";
import type { Reader } from "../scan/input.ts";
import type { Session } from "../scan/session.ts";
import { propertySchema, type Schema } from "../schema/read-schema.ts";
import { ownTags } from "./element-end.ts";
import { openText } from "./read-elements.ts";

/**
 * Moves to the end of the text in which `body` breaks off with an end tag of the call. Not moved where none is open or it
 * has no end of its own: `cut` when the end tag belongs to a call in that text, which then is half of itself.
 */
export function* skipToEndOfText(
  session: Session,
  body: string,
  tool: string,
  schema: Schema,
): Reader<"moved" | "cut" | undefined> {
  const open = openText(body, schema);
  if (!open) return undefined;
  const roles: TagRoles = (tag) => {
    if (tag.name === tool) return tag.kind === "close" ? "call-end" : "call";
    return tag.kind !== "close" && propertySchema(schema, tag.name) !== undefined ? "argument" : undefined;
  };
  const value = { session, style: plainTags, roles, own: open.name, frames: 0, opened: open.missing - 1 };
  const end = yield* endOfNested(value);
  // The body is gone through once more for each end tag: this, too, must stay linear.
  session.lookedInVain += body.length;
  if (end === "cut") return holdsCall(body.slice(open.start), tool) ? "cut" : undefined;
  return end && "moved";
}

/** Whether more calls of the tool begin in the text than end. */
function holdsCall(text: string, tool: string): boolean {
  let depth = 0;
  for (const [, close, empty] of text.matchAll(ownTags(tool))) {
    if (close === "/") depth = Math.max(0, depth - 1);
    else if (empty !== "/") depth++;
  }
  return depth > 0;
}
