/** Returns the text of a transcript item, for searches. */
import type { Item } from "./item.ts";

export function itemText(item: Item): string {
  switch (item.kind) {
    case "user":
    case "answer":
    case "thought":
    case "notice":
      return item.text;
    case "command":
      return `${item.command}\n${item.output}`;
    case "call": {
      const { toolName, arguments: args, result, diff = "" } = item;
      const given = typeof args === "string" ? args : Object.values(args).map(valueText).join("\n");
      return [toolName, given, diff, result?.data ?? "", result?.error_message ?? ""].join("\n");
    }
  }
}

function valueText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
