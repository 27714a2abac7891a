/** Shows a block of code with its language, a copy button, and colours that are loaded when the first block is shown. */
import { memo, type ReactNode, useEffect, useState } from "react";
import { CopyButton } from "../parts/copy-button.tsx";
import type { Highlighter, Painted } from "./highlight.ts";

/** Longer code is shown without colours. */
const maxColouredChars = 60_000;

export const CodeBlock = memo(function CodeBlock({
  code,
  language,
}: {
  readonly code: string;
  readonly language: string;
}): ReactNode {
  const word = language.split(/[\s,{]/)[0] ?? "";
  return (
    <figure className="code-block">
      <figcaption>
        <span>{word === "" ? "text" : word}</span>
        <CopyButton text={code} what="code" />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard. */}
      <pre tabIndex={0}>
        <code>
          <Coloured code={code} language={word} />
        </code>
      </pre>
    </figure>
  );
});

export function Coloured({
  code,
  language,
}: {
  readonly code: string;
  readonly language: string;
}): ReactNode {
  const highlighter = useHighlighter(language !== "" && code.length <= maxColouredChars);
  const painted = highlighter?.(code, language);
  return painted === undefined ? code : painted.map(paint);
}

function paint(part: Painted, at: number): ReactNode {
  if (typeof part === "string") return part;
  return (
    <span key={at} className={part.style}>
      {part.parts.map(paint)}
    </span>
  );
}

let loaded: Highlighter | undefined;

function useHighlighter(wanted: boolean): Highlighter | undefined {
  const [, setReady] = useState(loaded !== undefined);
  useEffect(() => {
    if (!wanted || loaded !== undefined) return;
    let isShown = true;
    void import("./highlight.ts").then(({ createHighlighter }) => {
      loaded ??= createHighlighter();
      if (isShown) setReady(true);
    });
    return () => {
      isShown = false;
    };
  }, [wanted]);
  return wanted ? loaded : undefined;
}
