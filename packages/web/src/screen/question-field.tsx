/** The control for one value that an MCP server asks for. */
import { judgedLine, judgedText, type QuestionField } from "@localharness/protocol";
import { type ReactNode, useId } from "react";
import type { Entered } from "../session/form-values.ts";

interface Props {
  readonly field: QuestionField;
  readonly entered: Entered;
  readonly problem: string | undefined;
  readonly onChange: (entered: Entered) => void;
}

export function FieldControl(props: Props): ReactNode {
  const id = useId();
  const { field, problem } = props;
  const title = judgedLine(field.title);
  const notes = [field.about === undefined ? "" : judgedText(field.about), problem ?? ""];
  const about = { "aria-describedby": `${id}-about`, "aria-invalid": problem !== undefined };
  const isGroup = field.type === "choices";
  const label = (
    <>
      {title}
      {field.required ? <span className="text-dim"> (needed)</span> : null}
    </>
  );
  return (
    <div className="space-y-1">
      {isGroup ? (
        <fieldset {...about}>
          <legend className="mb-1 text-[13px] font-medium [overflow-wrap:anywhere]">{label}</legend>
          <Checkboxes {...props} />
        </fieldset>
      ) : (
        <>
          <label className="block text-[13px] font-medium [overflow-wrap:anywhere]" htmlFor={id}>
            {label}
          </label>
          <Control {...props} attributes={{ id, ...about }} />
        </>
      )}
      <p id={`${id}-about`} className="text-[12.5px] text-dim whitespace-pre-wrap [overflow-wrap:anywhere]">
        {notes[0]}
        {problem === undefined ? null : (
          <span className="block text-bad" role="alert">
            {problem}
          </span>
        )}
      </p>
    </div>
  );
}

function Control(
  props: Props & {
    readonly attributes: { readonly id: string; readonly "aria-invalid": boolean };
  },
): ReactNode {
  const { field, entered, onChange, attributes } = props;
  const value = typeof entered === "string" ? entered : "";
  const choices =
    field.type === "boolean"
      ? [
          { value: "yes", title: "Yes" },
          { value: "no", title: "No" },
        ]
      : field.choices;
  if (choices === undefined) {
    return (
      <>
        <Suggestions field={field} value={value} onChange={onChange} />
        <input
          {...attributes}
          className="field"
          autoComplete="off"
          inputMode={field.type === "text" ? "text" : field.type === "integer" ? "numeric" : "decimal"}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      </>
    );
  }
  return (
    <select
      {...attributes}
      className="field"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{field.required ? "Choose" : "Leave out"}</option>
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {judgedLine(choice.title)}
        </option>
      ))}
    </select>
  );
}

/** Buttons that put a likely answer into the text. */
function Suggestions(props: {
  readonly field: QuestionField;
  readonly value: string;
  readonly onChange: (entered: Entered) => void;
}): ReactNode {
  const { suggestions = [] } = props.field;
  if (suggestions.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-2 pb-1">
      {suggestions.map((text) => (
        <button
          key={text}
          type="button"
          className="button [overflow-wrap:anywhere] whitespace-normal text-left"
          aria-pressed={props.value === text}
          onClick={() => props.onChange(text)}
        >
          {judgedLine(text)}
        </button>
      ))}
    </div>
  );
}

function Checkboxes({ field, entered, onChange }: Props): ReactNode {
  const chosen: readonly string[] = typeof entered === "string" ? [] : entered;
  const all = (field.choices ?? []).map(({ value }) => value);
  return (field.choices ?? []).map(({ value, title }) => (
    <label key={value} className="flex items-center gap-2 py-0.5 text-[13px]">
      <input
        type="checkbox"
        checked={chosen.includes(value)}
        onChange={({ target }) =>
          onChange(all.filter((one) => (one === value ? target.checked : chosen.includes(one))))
        }
      />
      <span className="[overflow-wrap:anywhere]">{judgedLine(title)}</span>
    </label>
  ));
}
