/** Masks known secrets in an event before it is written to a file. */
import type { SessionEvent } from "@localharness/protocol";

const withheld = "(withheld: known secrets could not be taken out of it)";

/**
 * Returns the event with all known secrets masked. The result of a tool is already masked, but the fields beside it are
 * not. A text whose masking fails is replaced by a sentence that says so. The data of images is not masked.
 */
export function maskEvent(event: SessionEvent, mask: (text: string) => string): SessionEvent {
  if (event.type === "executor-state" || event.type === "usage") return event;
  const safe = (text: string): string => {
    try {
      return mask(text);
    } catch {
      return withheld;
    }
  };
  if (event.type === "user-message" && event.images !== undefined) {
    // The data of the images is not masked, because masking would destroy the image.
    const { images, ...said } = event;
    const named = images.map((image) =>
      image.name === undefined ? image : { ...image, name: safe(image.name) },
    );
    return { ...maskEvent(said, mask), images: named } as SessionEvent;
  }
  if (event.type === "tool-result") {
    const { result, ...about } = event;
    return { ...(maskAll(about, safe) as object), result } as SessionEvent;
  }
  const { sessionId, turnId, seq, type, ...rest } = event;
  return { sessionId, turnId, seq, type, ...(maskAll(rest, safe) as object) } as SessionEvent;
}

function maskAll(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === "string") return mask(value);
  if (Array.isArray(value)) return value.map((item) => maskAll(item, mask));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [mask(key), maskAll(item, mask)]));
}
