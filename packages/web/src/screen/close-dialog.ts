import { changeUi } from "./ui.ts";

/** Closes the dialog that is open. */
export function closeDialog(): void {
  changeUi({ dialog: undefined });
}
