/** A list to choose from: typing filters it, the arrows move, Enter chooses. */
import { visibleLine } from "@localharness/protocol";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { matching } from "./match.ts";
import { Modal } from "./modal.tsx";

export interface PickerRow {
  readonly id: string;
  readonly label: string;
  readonly about: string;
  /** A short text at the right, such as a key. */
  readonly hint?: string;
  readonly isCurrent?: boolean;
}

export function Picker(props: {
  readonly title: string;
  readonly placeholder: string;
  readonly rows: readonly PickerRow[];
  readonly empty: string;
  readonly onChoose: (row: PickerRow) => void;
  readonly onClose: () => void;
}): ReactNode {
  const [words, setWords] = useState("");
  const [at, setAt] = useState(0);
  const shown = matching(props.rows, words);
  const chosen = Math.min(at, shown.length - 1);
  const onKeyDown = (event: React.KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      setAt(Math.max(0, Math.min(shown.length - 1, chosen + by)));
    }
    const row = shown[chosen];
    if (event.key === "Enter" && row !== undefined) {
      event.preventDefault();
      props.onChoose(row);
    }
  };
  return (
    <Modal title={props.title} size="medium" onClose={props.onClose}>
      <div className="p-2">
        <input
          className="field"
          role="combobox"
          aria-label={props.placeholder}
          aria-expanded="true"
          aria-controls="picker-rows"
          aria-activedescendant={shown.length === 0 ? undefined : `picker-${chosen}`}
          placeholder={props.placeholder}
          // biome-ignore lint/a11y/noAutofocus: the list is opened to type in this field.
          autoFocus
          value={words}
          onChange={(event) => {
            setWords(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div
        id="picker-rows"
        role="listbox"
        aria-label={props.title}
        className="min-h-0 flex-1 overflow-y-auto px-2 pb-2"
      >
        {shown.map((row, place) => (
          <Row
            key={row.id}
            row={row}
            place={place}
            isChosen={place === chosen}
            choose={() => props.onChoose(row)}
          />
        ))}
        {shown.length === 0 ? (
          <div
            role="option"
            aria-selected="false"
            aria-disabled="true"
            tabIndex={-1}
            className="px-3 py-2 text-dim"
          >
            {words === "" ? props.empty : "Nothing matches."}
          </div>
        ) : null}
      </div>
    </Modal>
  );
}

function Row(props: {
  readonly row: PickerRow;
  readonly place: number;
  readonly isChosen: boolean;
  readonly choose: () => void;
}): ReactNode {
  const { row, isChosen } = props;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) place.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys.
    <div
      ref={place}
      id={`picker-${props.place}`}
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      className={`flex cursor-pointer items-center gap-3 rounded-lg px-3 py-1.5 ${isChosen ? "bg-sunken" : "hover:bg-sunken"}`}
      onClick={props.choose}
    >
      <div className="min-w-0 flex-1">
        <p className="truncate text-[13px] font-medium">
          {visibleLine(row.label)}
          {row.isCurrent ? <span className="ml-2 text-[11.5px] font-normal text-accent">current</span> : null}
        </p>
        <p className="truncate text-[12px] text-dim">{visibleLine(row.about)}</p>
      </div>
      {row.hint === undefined ? null : <kbd className="key">{row.hint}</kbd>}
    </div>
  );
}
