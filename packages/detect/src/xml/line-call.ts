/** Reads a call without its opening tag: the name alone on a line, then the tags of its arguments. */
import { parametersSchema, propertySchema } from "@localharness/schema";
import { draftOf, settleDraft } from "../call/draft.ts";
import type { TagFrame } from "../markup/frame-options.ts";
import { readTagArguments } from "../markup/read-tag-call.ts";
import { tagRoles } from "../markup/roles.ts";
import { plainTags, tagHere } from "../markup/tag.ts";
import { at, peek, type Reader, skipSpace, spaceEnd } from "../scan/input.ts";
import type { Opener, Scan } from "../scan/scan.ts";
import type { ToolSchema } from "../types.ts";

export function lineCallOpeners(tools: readonly ToolSchema[]): Opener[] {
  return tools.flatMap((tool) =>
    ["\n", ":\n"].map((end) => ({
      literal: `${tool.name}${end}`,
      format: "morph-xml" as const,
      standing: "line" as const,
      kind: "plain" as const,
      read: (scan: Scan, mark: number) => readLineCall(scan, mark, `${tool.name}${end}`, tool),
    })),
  );
}

function* readLineCall(scan: Scan, mark: number, literal: string, tool: ToolSchema): Reader<boolean> {
  const { input } = scan;
  const ahead = yield* spaceEnd(input, literal.length, 40);
  const tag = yield* tagHere(input, plainTags, ahead);
  if (tag?.kind !== "open" || propertySchema(parametersSchema(tool.parameters), tag.name) === undefined) {
    return false;
  }
  input.pos += ahead;
  const frame: TagFrame = {
    open: literal,
    format: "morph-xml",
    style: plainTags,
    frames: [tool.name],
    nextCall: (further) => nextCall(scan, further),
  };
  const draft = draftOf(tool, mark, "morph-xml", "framed");
  yield* readTagArguments(scan, frame, tagRoles(frame.frames), draft);
  const after = input.offset;
  yield* skipSpace(input);
  const end = yield* tagHere(input, plainTags);
  if (end?.kind === "close" && end.name === tool.name) input.pos += end.length;
  else if ((yield* peek(input)) !== -1) input.rewind(after);
  return settleDraft(scan, draft);
}

/** Returns true if the next call begins here: a tool's name alone on a line or in a tag. It ends a call without an end tag. */
function* nextCall(scan: Scan, ahead: number): Reader<boolean> {
  const { input } = scan;
  const tag = yield* tagHere(input, plainTags, ahead);
  if (tag) return tag.kind !== "close" && scan.tools.tools.some((tool) => tool.name === tag.name);
  const onNewLine = /\n[ \t]*$/.test(
    input.text.slice(Math.max(0, input.pos + ahead - 80), input.pos + ahead),
  );
  if (!onNewLine) return false;
  for (const { name } of scan.tools.tools) {
    if ((yield* at(input, `${name}\n`, ahead)) || (yield* at(input, `${name}:\n`, ahead))) return true;
  }
  return false;
}
