/** Limits the answers of servers over HTTP, so that no answer fills the memory. */
import type { Fetch } from "../doors.ts";

/** The maximum size of an answer, and of a line in a stream of events, in bytes. */
export const maxAnswerBytes = 16 * 1024 * 1024;

/**
 * Returns a `fetch` that adds the headers that a request does not set itself, and that stops reading an answer that is too
 * long. It then calls `tooLong`, because a stream of events that stops does not end the calls that wait for it.
 */
export function boundedFetch(
  fetch: Fetch,
  headers: Readonly<Record<string, string>>,
  tooLong: () => void,
): Fetch {
  return async (url, init) => {
    const all = new Headers(headers);
    for (const [name, value] of new Headers(init?.headers)) all.set(name, value);
    const response = await fetch(url, { ...init, headers: all });
    if (response.body === null) return response;
    const isStream = (response.headers.get("content-type") ?? "").startsWith("text/event-stream");
    return new Response(response.body.pipeThrough(limited(isStream, tooLong)), response);
  };
}

function limited(isStream: boolean, tooLong: () => void): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const lineEnd = isStream ? chunk.lastIndexOf(10) : -1;
      bytes = lineEnd === -1 ? bytes + chunk.length : chunk.length - lineEnd - 1;
      if (bytes <= maxAnswerBytes) return controller.enqueue(chunk);
      tooLong();
      controller.error(new Error(`the answer has more than ${maxAnswerBytes / 1024 / 1024} MB`));
    },
  });
}
