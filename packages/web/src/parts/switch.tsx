/** A switch with a label. */
import type { ReactNode } from "react";

export function Switch(props: {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (on: boolean) => void;
}): ReactNode {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={props.isOn}
      aria-label={props.label}
      className={`relative h-5 w-9 shrink-0 rounded-full border transition-colors ${props.isOn ? "border-accent bg-accent" : "border-line-strong bg-sunken"}`}
      onClick={() => props.onChange(!props.isOn)}
    >
      <span
        className={`absolute top-1/2 left-0.5 size-3.5 -translate-y-1/2 rounded-full transition-transform ${props.isOn ? "translate-x-4 bg-accent-ink" : "bg-dim"}`}
      />
    </button>
  );
}
