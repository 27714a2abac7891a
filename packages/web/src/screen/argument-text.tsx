/** Shows an argument, or one line of it, with its name dimmed. */
import type { ReactNode } from "react";

export function ArgumentText({ text }: { readonly text: string }): ReactNode {
  const [, key, value] = /^([\w.-]+:)(.*)$/s.exec(text) ?? [];
  return (
    <span className="block">
      {key === undefined ? text : <span className="text-dim">{key}</span>}
      {value}
      {text === "" ? "\u00a0" : ""}
    </span>
  );
}
