/** Makes a valid conversation of the events of a damaged session: what is missing is bridged, and said. */
import { closeHistory } from "@localharness/engine";
import { applyEvent, emptyView, type SessionEvent, type ToolResult, type View } from "@localharness/protocol";

/** For a session whose beginning is lost. */
export interface Beginning {
  readonly workspace: string;
  readonly systemPrompt: string;
}

/** The same events with new numbers, without what cannot stand, and with a result for every call. */
export function mendEvents(
  events: readonly SessionEvent[],
  { workspace, systemPrompt }: Beginning,
): readonly SessionEvent[] {
  const mended: SessionEvent[] = [];
  const ids = new Set<string>();
  let open: { readonly id: string; readonly name: string }[] = [];
  let view = emptyView;

  const add = (event: SessionEvent): void => {
    const numbered = { ...event, seq: mended.length + 1 };
    mended.push(numbered);
    view = withoutMessages(applyEvent(view, numbered));
  };
  const answerOpen = (like: SessionEvent): void => {
    for (const { id, name } of open) add(lostResult(like, id, name));
    open = [];
  };

  for (const event of events) {
    if (mended.length === 0 && event.type !== "session-start") add(lostStart(event, workspace, systemPrompt));
    if (event.type === "session-start" && mended.length > 0) continue;
    if (event.type === "tool-call-end" && (event.id === "" || ids.has(event.id))) continue;
    if (event.type === "tool-call-end") ids.add(event.id);
    if (event.type === "tool-result") {
      const at = open.findIndex(({ id }) => id === event.callId);
      if (at === -1) continue;
      for (const { id, name } of open.slice(0, at)) add(lostResult(event, id, name));
      open = open.slice(at + 1);
    }
    if (event.type === "model-end" || event.type === "model-error") {
      answerOpen(event);
      open = view.draft.toolCalls.map(({ id, name }) => ({ id, name }));
    }
    if (event.type === "user-message") {
      // A record that would have ended the answer before it is gone.
      if (view.draft.text + view.draft.reasoning !== "" || view.draft.toolCalls.length > 0) {
        open = [...open, ...view.draft.toolCalls.map(({ id, name }) => ({ id, name }))];
        const { sessionId, turnId } = event;
        add({
          sessionId,
          turnId,
          seq: 0,
          type: "model-error",
          code: "aborted",
          message: lost,
          retryable: false,
        });
      }
      answerOpen(event);
    }
    add(event);
  }
  return closeHistory(mended);
}

const lost = "what followed is lost from the session's file";

/** Only its draft matters here: messages would be copied for each event. */
function withoutMessages(view: View): View {
  return view.messages.length === 0 && view.notices.length === 0
    ? view
    : { ...view, messages: [], notices: [] };
}

function lostStart(like: SessionEvent, workspace: string, systemPrompt: string): SessionEvent {
  return {
    sessionId: like.sessionId,
    turnId: "",
    seq: 0,
    type: "session-start",
    model: "",
    provider: "",
    workspace,
    mode: "default",
    tools: [],
    systemPrompt,
  };
}

function lostResult({ sessionId, turnId }: SessionEvent, callId: string, toolName: string): SessionEvent {
  const message = "the result of this call is lost from the session's file";
  const result: ToolResult = {
    success: false,
    data: null,
    error_message: message,
    error_type: "internal_error",
    metadata: { execution_time_ms: 0, data_size_bytes: 0, timestamp: Date.now() },
  };
  const display = `[Tool: ${toolName}]\n${message}`;
  return { sessionId, turnId, seq: 0, type: "tool-result", callId, toolName, result, display };
}
