/** The keys that work everywhere on the page. */
import type { PermissionMode } from "@localharness/protocol";
import { useEffect } from "react";
import type { Client } from "../session/client.ts";
import { useMode } from "./composer-bar.tsx";
import { modeCycle } from "./mode-words.ts";
import { changeUi, ui } from "./ui.ts";
import { useClient } from "./use-client.ts";

export function GlobalKeys(): null {
  const client = useClient();
  const mode = useMode();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.isComposing) return;
      const action = actionOf(event);
      if (action === undefined) return;
      event.preventDefault();
      actions[action](client, mode ?? "default");
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [client, mode]);
  return null;
}

const actions: Readonly<Record<Action, (client: Client, mode: PermissionMode) => void>> = {
  palette: () => changeUi({ dialog: ui.get().dialog?.kind === "palette" ? undefined : { kind: "palette" } }),
  keys: () => changeUi({ dialog: { kind: "keys" } }),
  message: () => document.querySelector<HTMLTextAreaElement>("#message")?.focus(),
  panel: () => changeUi({ panel: ui.get().panel === undefined ? "files" : undefined }),
  new: (client) => client.leave(),
  mode(client, mode) {
    const next = modeCycle[(modeCycle.indexOf(mode) + 1) % modeCycle.length];
    if (next !== undefined) void client.send({ type: "set-mode", mode: next });
  },
};

type Action = "palette" | "keys" | "message" | "panel" | "new" | "mode";

function actionOf({
  key,
  code,
  ctrlKey,
  metaKey,
  altKey,
  shiftKey,
  target,
}: KeyboardEvent): Action | undefined {
  const isCommand = ctrlKey || metaKey;
  if (isCommand && !altKey && !shiftKey && code === "KeyK") return "palette";
  if (isCommand && shiftKey && code === "KeyO") return "new";
  if (altKey && !isCommand && code === "KeyM") return "mode";
  if (altKey && !isCommand && code === "KeyP") return "panel";
  const isField = target instanceof HTMLElement && target.closest("input, textarea, select, dialog") !== null;
  if (isField || isCommand || altKey) return undefined;
  if (key === "?") return "keys";
  return key === "/" ? "message" : undefined;
}
