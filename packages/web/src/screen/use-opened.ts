/** Remembers which items of the transcript are open, because the virtual list unmounts items that are out of sight. */
import { createContext, useContext, useState } from "react";

export interface OpenedItems {
  /** True for open items and false for closed ones, by key. An item without an entry was never opened or closed. */
  readonly known: Map<string, boolean>;
  /** Called when the person opens or closes an item. */
  onChange(): void;
}

export const OpenedContext = createContext<OpenedItems>({ known: new Map(), onChange: () => undefined });

/** Returns whether an item is open, and a function to open or close it. `first` holds until the person does either. */
export function useOpened(key: string, first: boolean): readonly [boolean, (isOpen: boolean) => void] {
  const { known, onChange } = useContext(OpenedContext);
  const [opened, setOpened] = useState(known.get(key));
  const change = (isOpen: boolean) => {
    known.set(key, isOpen);
    onChange();
    setOpened(isOpen);
  };
  return [opened ?? first, change];
}
