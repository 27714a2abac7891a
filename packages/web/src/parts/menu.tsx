/** A button that opens a list of actions. */
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Icon, type IconName } from "./icon.tsx";

export interface MenuAction {
  readonly label: string;
  readonly icon: IconName;
  readonly isDangerous?: boolean;
  readonly run: () => void;
}

export function Menu({
  label,
  actions,
  className = "",
}: {
  readonly label: string;
  readonly actions: readonly MenuAction[];
  readonly className?: string;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    if (!isOpen) return;
    place.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
    const close = (event: PointerEvent) => {
      if (!place.current?.contains(event.target as Node)) setOpen(false);
    };
    addEventListener("pointerdown", close);
    return () => removeEventListener("pointerdown", close);
  }, [isOpen]);
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (!isOpen) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      setOpen(false);
      place.current?.querySelector<HTMLElement>("button")?.focus();
    }
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      moveFocus(place.current, event.key === "ArrowDown" ? 1 : -1);
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the menu inside.
    <div ref={place} className={`relative ${className}`} onKeyDown={onKeyDown}>
      <button
        type="button"
        className="icon-button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="dots" />
      </button>
      {isOpen ? <Actions id={id} label={label} actions={actions} close={() => setOpen(false)} /> : null}
    </div>
  );
}

function Actions(props: {
  readonly id: string;
  readonly label: string;
  readonly actions: readonly MenuAction[];
  readonly close: () => void;
}): ReactNode {
  return (
    <div
      id={props.id}
      role="menu"
      aria-label={props.label}
      className="absolute top-9 right-0 z-40 min-w-44 rounded-xl border border-line bg-raised p-1 shadow-lift"
    >
      {props.actions.map(({ label, icon, isDangerous, run }) => (
        <button
          key={label}
          type="button"
          role="menuitem"
          className={`flex w-full items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-left text-[13px] hover:bg-sunken ${isDangerous ? "text-bad" : ""}`}
          onClick={() => {
            props.close();
            run();
          }}
        >
          <Icon name={icon} />
          {label}
        </button>
      ))}
    </div>
  );
}

function moveFocus(place: HTMLElement | null, by: 1 | -1): void {
  const items = [...(place?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
  const at = items.indexOf(document.activeElement as HTMLElement);
  items.at((at + by + items.length) % items.length)?.focus();
}
