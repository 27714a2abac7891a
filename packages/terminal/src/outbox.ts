/** Sends messages to the session in order, with the command output and images that belong to them. */
import {
  type AttachedFile,
  type ImageContent,
  isImageMention,
  type Mention,
  mentionsIn,
  reasonOf,
  type SessionEvent,
  tooManyImages,
} from "@localharness/protocol";
import type { App } from "./app.ts";
import { mentionedImages } from "./editor/held-images.ts";
import type { MessageEditor } from "./editor/message-editor.ts";
import { screenLine } from "./plain-text.ts";
import type { Theme } from "./theme/theme.ts";

export interface Outbox {
  /** Adds a text that is sent to the model with the next message. */
  addToNext(text: string): void;
  /** Sends a message. Only `typed`, the part that the person typed, may name files by `@`. */
  submit(message: string, typed?: string): void;
  /** Draws the messages that the session has not accepted yet. */
  draw(theme: Theme): readonly string[];
  take(event: SessionEvent): void;
  /**
   * Returns the part of a sent message that the person has typed; undefined if the person has typed all of it. The other
   * part, the output of the person's commands, is already on the screen.
   */
  typedPart(content: string): string | undefined;
  /** Interrupts the turn, and puts the messages that wait for its end back into the editor. */
  interrupt(): void;
  /** Drops the queued messages and texts. Called when another session is shown. */
  clear(): void;
}

export interface OutboxParts {
  readonly app: Pick<App, "host" | "view" | "send" | "say" | "edit" | "redraw">;
  readonly editor: Pick<MessageEditor, "images">;
  /** Returns the name of the model that will give the next answer. */
  model(): string;
}

export function createOutbox({ app, editor, model }: OutboxParts): Outbox {
  const { images } = editor;
  let queued: string[] = [];
  let extra: string[] = [];
  let waiting = 0;
  let line: Promise<void> = Promise.resolve();
  let session = 0;
  /** The part that the person typed, by the content of the whole message. */
  const typedParts = new Map<string, string>();

  /** Shows why a message was not sent, and puts the message back into the editor. */
  function returnToEditor(message: string, why: string): void {
    app.say(why, "error");
    app.edit(message);
  }

  function put(message: string, { images: shown, files }: Gathered): void {
    const whole = [...extra.splice(0), message].join("\n\n");
    if (whole !== message) typedParts.set(whole, message);
    if (app.view().turn.running) queued.push(whole);
    app.send({
      type: "user-message",
      content: whole,
      ...(shown.length === 0 ? {} : { images: shown }),
      ...(files.length === 0 ? {} : { files }),
    });
    app.redraw();
  }

  async function putWithFiles(message: string, wanted: Wanted, of: number): Promise<void> {
    const gathered = await gather(wanted, app, model).catch((error: unknown) => reasonOf(error));
    if (of !== session) returnToEditor(message, "the message was not sent: another session was opened");
    else if (typeof gathered === "string") returnToEditor(message, gathered);
    else put(message, gathered);
  }

  return {
    addToNext: (text) => void extra.push(text),
    submit(message, typed) {
      for (const mark of typed === undefined ? [] : images.unknownIn(typed))
        app.say(`${mark} is sent as text: its image is gone, attach it again to send it`, "warning");
      const wanted = { held: images.in(typed ?? message), ...namedIn(typed ?? "") };
      if (waiting === 0 && isNone(wanted)) return put(message, { images: [], files: [] });
      waiting += 1;
      const of = session;
      line = line
        .then(() => putWithFiles(message, wanted, of))
        .finally(() => {
          waiting -= 1;
        });
    },
    draw: (theme) =>
      queued.map((message) => theme.style("dim", `queued: ${screenLine(message.slice(0, 400))}`)),
    take(event) {
      if (event.type !== "user-message") return;
      const at = queued.indexOf(event.content);
      if (at !== -1) queued.splice(at, 1);
    },
    typedPart: (content) => typedParts.get(content),
    interrupt() {
      app.send({ type: "interrupt", dropsWaiting: true });
      const back = queued.splice(0);
      if (back.length === 0) return;
      app.say(
        back.length === 1 ? "your queued message is in the editor" : "your queued messages are in the editor",
      );
      app.edit(back.join("\n\n"));
    },
    clear() {
      session += 1;
      typedParts.clear();
      queued = [];
      extra = [];
    },
  };
}

/** Returns the images and the other files that a message mentions. */
function namedIn(typed: string): Omit<Wanted, "held"> {
  const files = mentionsIn(typed).filter((mention) => !isImageMention(mention));
  return { named: mentionedImages(typed), files };
}

/** The things to send with a message: attached images, and the images and other files that it mentions with `@`. */
interface Wanted {
  readonly held: readonly ImageContent[];
  readonly named: readonly string[];
  readonly files: readonly Mention[];
}

interface Gathered {
  readonly images: readonly ImageContent[];
  readonly files: readonly AttachedFile[];
}

function isNone({ held, named, files }: Wanted): boolean {
  return held.length + named.length + files.length === 0;
}

/** Returns what to send with a message, or a text that says why the message cannot be sent. */
async function gather(
  wanted: Wanted,
  app: Pick<App, "host" | "say">,
  model: () => string,
): Promise<Gathered | string> {
  const images = await gatherImages(wanted, app, model);
  if (typeof images === "string") return images;
  if (wanted.files.length === 0) return { images, files: [] };
  const { files, remarks } = await app.host.attachFiles(wanted.files);
  for (const remark of remarks) app.say(remark, "warning");
  return { images, files };
}

/** Returns the images to send with a message, or a text that says why the message cannot be sent. */
async function gatherImages(
  wanted: Wanted,
  app: Pick<App, "host" | "say">,
  model: () => string,
): Promise<readonly ImageContent[] | string> {
  const { held, named } = wanted;
  const sees = held.length + named.length === 0 ? undefined : await app.host.canSee();
  if (sees === false && held.length > 0) return `${model()} sees no images; /model lists the models that do`;
  const images = [...held];
  for (const path of named) {
    const came = await app.host.readImage(path);
    if (came.kind === "refused") app.say(`@${path} is sent as a name only: ${came.message}`, "warning");
    if (came.kind !== "image") continue;
    if (sees === false) app.say(`${model()} sees no images: @${path} is sent as a name only`);
    else if (!images.some(({ data }) => data === came.image.data)) images.push(came.image);
  }
  return tooManyImages(images) ?? images;
}
