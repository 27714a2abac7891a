/** A dialog over the page. The browser keeps the focus inside, and Esc closes it. */
import { type ReactNode, useEffect, useRef } from "react";
import { Icon } from "./icon.tsx";

const widths = { small: "max-w-md", medium: "max-w-xl", large: "max-w-4xl" } as const;

export function Modal(props: {
  readonly title: string;
  readonly size?: keyof typeof widths;
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactNode {
  const place = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = place.current;
    const before = document.activeElement;
    if (dialog?.open === false) dialog.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes the dialog; the click is one beside it.
    <dialog
      ref={place}
      aria-label={props.title}
      className={`m-auto w-[calc(100vw-1.5rem)] rounded-2xl border border-line bg-raised p-0 shadow-lift ${widths[props.size ?? "small"]}`}
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
      onClick={(event) => {
        if (event.target === place.current) props.onClose();
      }}
    >
      <div className="flex max-h-[82dvh] flex-col">
        <div className="flex items-center justify-between border-b border-line py-2 pr-2 pl-4">
          <h2 className="text-[14px] font-semibold">{props.title}</h2>
          <button type="button" className="icon-button" aria-label="Close" onClick={props.onClose}>
            <Icon name="cross" />
          </button>
        </div>
        {props.children}
      </div>
    </dialog>
  );
}
