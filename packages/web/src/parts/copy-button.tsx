/** Copies a text to the clipboard and says that it did. */
import { type ReactNode, useState } from "react";
import { Icon } from "./icon.tsx";

export function CopyButton({ text, what }: { readonly text: string; readonly what: string }): ReactNode {
  const [state, setState] = useState<"ready" | "copied" | "failed">("ready");
  const copy = async () => {
    const done = await copyText(text);
    setState(done ? "copied" : "failed");
    setTimeout(() => setState("ready"), 1_500);
  };
  const label = { ready: `Copy ${what}`, copied: "Copied", failed: "The browser refused to copy" }[state];
  return (
    <button
      type="button"
      className="icon-button"
      onClick={() => void copy()}
      aria-label={label}
      title={label}
    >
      <Icon name={state === "copied" ? "check" : "copy"} />
    </button>
  );
}

/** Returns true if the browser took the text. Without TLS it takes texts only on this machine's own addresses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
