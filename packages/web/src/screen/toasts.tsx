/** Shows short messages for the person below the header, where they cover no button of the composer. */
import { type ReactNode, useEffect } from "react";
import { shownText } from "../markdown/shown-text.ts";
import { Icon } from "../parts/icon.tsx";
import type { Toast } from "../session/client.ts";
import { useClient, useClientState } from "./use-client.ts";

const shownMs = 7_000;
const looks = {
  info: "border-line",
  warning: "border-warn",
  error: "border-bad",
} as const;

export function Toasts(): ReactNode {
  const toasts = useClientState((state) => state.toasts);
  return (
    <div
      role="status"
      aria-label="Messages"
      className="pointer-events-none fixed top-14 right-3 left-3 z-50 flex flex-col items-end gap-2"
    >
      {toasts.map((toast) => (
        <ToastView key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ToastView({ toast }: { readonly toast: Toast }): ReactNode {
  const client = useClient();
  useEffect(() => {
    if (toast.level === "error") return;
    const timer = setTimeout(() => client.dismiss(toast.id), shownMs);
    return () => clearTimeout(timer);
  }, [client, toast]);
  return (
    <div
      className={`pointer-events-auto flex max-w-md items-start gap-2 rounded-xl border bg-raised py-2 pr-1.5 pl-3.5 text-[13px] shadow-lift ${looks[toast.level]}`}
    >
      <p className="min-w-0 py-1 whitespace-pre-wrap [overflow-wrap:anywhere]">{shownText(toast.text)}</p>
      <button
        type="button"
        className="icon-button"
        aria-label="Dismiss the message"
        onClick={() => client.dismiss(toast.id)}
      >
        <Icon name="cross" />
      </button>
    </div>
  );
}
