/** Shows an item that cannot be drawn as an error, so that the rest of the page stays. */
import { Component, type ReactNode } from "react";

interface Failed {
  readonly reason: string;
}

export class ErrorGuard extends Component<{ readonly children: ReactNode }, Failed> {
  override state: Failed = { reason: "" };

  static getDerivedStateFromError(error: unknown): Failed {
    return { reason: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    if (this.state.reason === "") return this.props.children;
    return <p role="alert" className="text-bad">{`This part cannot be shown: ${this.state.reason}`}</p>;
  }
}
