/** Shows the result of a call: a terminal, a file with line numbers, a table of files, matches, or text. */
import type { CallItem } from "@localharness/protocol";
import { type ReactNode, useState } from "react";
import { Coloured } from "../markdown/code-block.tsx";
import { shownOutput, shownText } from "../markdown/shown-text.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { argumentsOf, type CallView, callView, type NumberedLine } from "../session/call-view.ts";

export function ResultView({ item }: { readonly item: CallItem }): ReactNode {
  const view = callView(item);
  switch (view.kind) {
    case "terminal":
      return <TerminalView view={view} />;
    case "file":
      return <FileView view={view} path={String(argumentsOf(item)["path"] ?? "")} />;
    case "list":
      return <ListView view={view} />;
    case "matches":
      return <MatchesView view={view} />;
    case "text":
      return <LongText text={shownOutput(view.text)} />;
  }
}

type ViewOf<Kind extends CallView["kind"]> = Extract<CallView, { readonly kind: Kind }>;

function TerminalView({ view }: { readonly view: ViewOf<"terminal"> }): ReactNode {
  const { command, output, end } = view;
  return (
    <figure className="overflow-hidden rounded-lg bg-[#16171a] text-[#e4e1dc]">
      <div className="flex items-start gap-2 px-3 pt-2 font-mono text-[12px]">
        <span className="text-[#eba954] select-none">$</span>
        <span className="min-w-0 flex-1 whitespace-pre-wrap [overflow-wrap:anywhere]">
          {shownText(command)}
        </span>
        <CopyButton text={output} what="the output" />
      </div>
      {output === "" ? null : <LongText text={shownOutput(output)} className="px-3 pb-1" />}
      {end === "" ? (
        <div className="h-2" />
      ) : (
        <p className="px-3 pb-2 font-mono text-[11.5px] text-[#a5a19a]">{end}</p>
      )}
    </figure>
  );
}

function FileView({ view, path }: { readonly view: ViewOf<"file">; readonly path: string }): ReactNode {
  return (
    <div>
      <div className="max-h-96 overflow-auto rounded-lg border border-line bg-sunken py-1.5">
        <Lines lines={view.lines} language={languageOf(path)} />
      </div>
      {view.rest === "" ? null : <p className="mt-1 text-[12px] text-dim">{shownText(view.rest)}</p>}
    </div>
  );
}

/** Returns the ending of a file's name, which the grammars know as the name of a language; empty if it has none. */
function languageOf(path: string): string {
  return /\.([a-z\d]{1,5})$/i.exec(path)?.[1]?.toLowerCase() ?? "";
}

/** Shows lines with their numbers. The numbers have a separate column, so that a copied text has none. */
function Lines({
  lines,
  language = "",
}: {
  readonly lines: readonly NumberedLine[];
  readonly language?: string;
}): ReactNode {
  const text = lines.map((line) => shownText(line.text)).join("\n");
  return (
    <div className="flex min-w-max font-mono text-[12px] leading-[1.6]">
      <pre className="px-3 text-right text-dim select-none" aria-hidden="true">
        {lines.map(({ number }) => number).join("\n")}
      </pre>
      <pre className="pr-3">
        <Coloured code={text} language={language} />
      </pre>
    </div>
  );
}

function ListView({ view }: { readonly view: ViewOf<"list"> }): ReactNode {
  return (
    <div>
      <div className="max-h-80 overflow-auto rounded-lg border border-line">
        <table className="w-full font-mono text-[12px]">
          <thead className="sticky top-0 bg-sunken text-left text-dim">
            <tr>
              <th className="px-3 py-1 font-medium">name</th>
              <th className="px-3 py-1 text-right font-medium">size</th>
              <th className="px-3 py-1 font-medium max-sm:hidden">changed</th>
            </tr>
          </thead>
          <tbody>
            {view.rows.map(({ type, name, size, modified }) => (
              <tr key={name} className="border-t border-line">
                <td className={`px-3 py-0.5 ${type === "DIR" ? "text-accent" : ""}`}>{shownText(name)}</td>
                <td className="px-3 py-0.5 text-right whitespace-nowrap text-dim tabular-nums">{size}</td>
                <td className="px-3 py-0.5 whitespace-nowrap text-dim tabular-nums max-sm:hidden">
                  {modified}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="mt-1 text-[12px] text-dim">{shownText(view.summary)}</p>
    </div>
  );
}

function MatchesView({ view }: { readonly view: ViewOf<"matches"> }): ReactNode {
  return (
    <div className="space-y-1.5">
      <p className="text-[12px] text-dim">{shownText(view.head)}</p>
      <div className="max-h-96 overflow-auto rounded-lg border border-line">
        {view.files.map(({ path, lines }) => (
          <div key={`${path}:${lines[0]?.number ?? 0}`} className="border-b border-line last:border-b-0">
            <p className="sticky top-0 bg-sunken px-3 py-0.5 font-mono text-[12px] font-medium">
              {shownText(path)}
            </p>
            <div className="overflow-x-auto py-1">
              <Lines lines={lines} />
            </div>
          </div>
        ))}
      </div>
      {view.rest === "" ? null : <p className="text-[12px] text-dim">{shownText(view.rest)}</p>}
    </div>
  );
}

const foldedChars = 12_000;

function LongText({
  text,
  className = "",
}: {
  readonly text: string;
  readonly className?: string;
}): ReactNode {
  const [isWhole, setWhole] = useState(false);
  const left = text.length - foldedChars;
  const shown =
    isWhole || left <= 0 ? text : `${text.slice(0, foldedChars / 2)}\n…\n${text.slice(-foldedChars / 2)}`;
  return (
    <div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard. */}
      <pre className={`pre max-h-96 ${className}`} tabIndex={0}>
        {shown}
      </pre>
      {left > 0 && !isWhole ? (
        <button type="button" className="chip" onClick={() => setWhole(true)}>
          Show all {text.length} characters
        </button>
      ) : null}
    </div>
  );
}
