/** Shows a value of the server, or that it loads, or why it could not be loaded. */
import type { ReactNode } from "react";
import { shownText } from "../../markdown/shown-text.ts";
import type { Remote } from "../use-remote.ts";

export function Loaded<Value>({
  of,
  children,
}: {
  readonly of: Remote<Value>;
  readonly children: (value: Value) => ReactNode;
}): ReactNode {
  switch (of.kind) {
    case "loading":
      return <p className="text-dim">Loading…</p>;
    case "failed":
      return (
        <p role="alert" className="text-bad">
          {shownText(of.message)}
        </p>
      );
    case "value":
      return children(of.value);
  }
}

export function Empty({ children }: { readonly children: ReactNode }): ReactNode {
  return <p className="py-2 text-dim">{children}</p>;
}
