/** Returns the text of a transcript item, for searches. */
import { unreadableText } from "./draw-item.ts";
import type { DrawnItem } from "./item.ts";

export function itemText(item: DrawnItem): string {
  switch (item.kind) {
    case "user":
    case "answer":
    case "thought":
    case "notice":
      return item.text;
    case "unreadable":
      return unreadableText(item);
    case "command":
      return `${item.command}\n${item.output}`;
    case "call": {
      const { toolName, arguments: args, result, preview = "", diff = preview } = item;
      const given = typeof args === "string" ? args : Object.values(args).map(valueText).join("\n");
      return [toolName, given, diff, result?.data ?? "", result?.error_message ?? ""].join("\n");
    }
    case "question":
    case "end":
      return "";
  }
}

function valueText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
