/** Tracks the session writers of this process. They are flushed before a read, and closed when the process exits. */
import type { SessionWriter } from "./session-writer.ts";
import type { EarlierSession } from "./take-up-session.ts";

export interface OpenWriters {
  keep(id: string, writer: SessionWriter): SessionWriter;
  keepEarlier(earlier: EarlierSession): EarlierSession;
  of(id: string): SessionWriter | undefined;
  flush(): void;
  /** Closes all writers. */
  close(): void;
}

export function createOpenWriters(): OpenWriters {
  const writers = new Map<string, SessionWriter>();
  const closeAll = (): void => {
    for (const writer of writers.values()) writer.close();
    writers.clear();
  };
  const keep = (id: string, writer: SessionWriter): SessionWriter => {
    // Node emits `exit` when the process ends by itself or by a signal that it handles.
    if (writers.size === 0) process.once("exit", closeAll);
    writers.set(id, writer);
    return {
      counter: writer.counter,
      tellTo: (tell) => writer.tellTo(tell),
      append: (event) => writer.append(event),
      flush: () => writer.flush(),
      writeNote: () => writer.writeNote(),
      close() {
        writer.close();
        if (writers.get(id) === writer) writers.delete(id);
        if (writers.size === 0) process.off("exit", closeAll);
      },
    };
  };
  return {
    keep,
    keepEarlier: (earlier) => ({ ...earlier, writer: keep(earlier.id, earlier.writer) }),
    of: (id) => writers.get(id),
    flush() {
      for (const writer of writers.values()) writer.flush();
    },
    close() {
      process.off("exit", closeAll);
      closeAll();
    },
  };
}
