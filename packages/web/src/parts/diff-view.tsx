/** Shows a unified diff: in one column, or with the old lines beside the new ones. */
import { countDiff, countText, type DiffBlock, judgedDiff, readDiff } from "@localharness/protocol";
import { memo, type ReactNode, useMemo, useState } from "react";
import { changeUi, ui } from "../screen/ui.ts";
import { useUi } from "../screen/use-client.ts";
import { type DiffRow, rowsOf } from "./diff-rows.ts";

/** The number of rows that are shown at first. The button below shows ten times as many more. */
const stepRows = 400;

export const DiffView = memo(function DiffView({ diff }: { readonly diff: string }): ReactNode {
  const blocks = useMemo(() => readDiff(judgedDiff(diff)), [diff]);
  const isWide = useUi(({ sideBySide }) => sideBySide);
  const rows = useMemo(() => rowsOf(blocks, isWide), [blocks, isWide]);
  const [shown, setShown] = useState(stepRows);
  const { added, removed } = countDiff(diff);
  const left = rows.length - shown;
  return (
    <figure className="judged overflow-hidden rounded-lg border border-line" aria-label="Diff">
      <figcaption className="flex h-8 items-center gap-2 border-b border-line bg-sunken pr-1 pl-3 font-mono text-[11.5px]">
        <span className="min-w-0 flex-1 truncate text-dim">{nameOf(blocks)}</span>
        <span className="text-added-ink">+{added}</span>
        <span className="text-removed-ink">−{removed}</span>
        <button
          type="button"
          className="chip h-6 max-sm:hidden"
          aria-pressed={isWide}
          onClick={() => changeUi({ sideBySide: !ui.get().sideBySide })}
        >
          {isWide ? "Unified" : "Side by side"}
        </button>
      </figcaption>
      <div className="overflow-x-auto font-mono text-[12px] leading-[1.6]">
        <table className={`w-full border-collapse ${isWide ? "table-fixed max-sm:table-auto" : ""}`}>
          <caption className="sr-only">{`${countText(added, "line")} added, ${removed} removed`}</caption>
          {isWide ? (
            <colgroup>
              <col className="w-10" />
              <col />
              <col className="w-10" />
              <col />
            </colgroup>
          ) : null}
          <tbody>
            {rows.slice(0, shown).map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a fixed text have no identity but their place.
              <RowView key={at} row={row} isWide={isWide} />
            ))}
          </tbody>
        </table>
      </div>
      {left > 0 ? (
        <button
          type="button"
          className="chip w-full justify-center"
          onClick={() => setShown(shown + 10 * stepRows)}
        >
          {left} more rows
        </button>
      ) : null}
    </figure>
  );
});

function nameOf(blocks: readonly DiffBlock[]): string {
  const header = blocks.find((block) => block.kind === "header" && block.line.startsWith("+++ "));
  const line = header?.kind === "header" ? header.line.slice(4) : "";
  return line.replace(/^b\//, "");
}

function RowView({ row, isWide }: { readonly row: DiffRow; readonly isWide: boolean }): ReactNode {
  if (row.kind === "hunk") {
    return (
      <tr className="bg-sunken text-dim">
        <td colSpan={4} className="px-3 whitespace-pre">
          {row.text}
        </td>
      </tr>
    );
  }
  if (isWide) {
    return (
      <tr>
        <Side text={row.old} number={row.oldLine} mark={row.isSame ? "" : "-"} />
        <Side text={row.fresh} number={row.freshLine} mark={row.isSame ? "" : "+"} />
      </tr>
    );
  }
  return (
    <>
      {row.old === undefined || row.isSame ? null : <Line text={row.old} old={row.oldLine} mark="-" />}
      {row.fresh === undefined ? null : (
        <Line
          text={row.fresh}
          old={row.isSame ? row.oldLine : undefined}
          fresh={row.freshLine}
          mark={row.isSame ? "" : "+"}
        />
      )}
    </>
  );
}

const grounds = { "": "", "-": "bg-removed", "+": "bg-added" } as const;
const numberCell = "w-px px-2 text-right align-top text-[11px] text-dim select-none tabular-nums";
const textCell = "pr-3 whitespace-pre-wrap [overflow-wrap:anywhere]";

function Line(props: {
  readonly text: string;
  readonly old?: number | undefined;
  readonly fresh?: number | undefined;
  readonly mark: "" | "-" | "+";
}): ReactNode {
  return (
    <tr className={grounds[props.mark]}>
      <td className={numberCell}>{props.old}</td>
      <td className={numberCell}>{props.fresh}</td>
      <td className="w-4 text-center select-none">{props.mark}</td>
      <td className={textCell}>{props.text}</td>
    </tr>
  );
}

function Side(props: {
  readonly text: string | undefined;
  readonly number: number | undefined;
  readonly mark: "" | "-" | "+";
}): ReactNode {
  const ground = props.text === undefined ? "bg-sunken" : grounds[props.mark];
  return (
    <>
      <td className={`${numberCell} w-10 ${ground}`}>{props.number}</td>
      <td className={`${textCell} ${ground}`}>{props.text}</td>
    </>
  );
}
