/** What goes to the session: messages in their order, with what stands beside them and the images that they name. */
import {
  type Command,
  type ImageContent,
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
  /** Goes to the model with the next message. */
  addBeside(text: string): void;
  /** `typed` is what the person has typed of it: there `@` names images. Nothing else may name files to be sent. */
  submit(message: string, typed?: string): void;
  /** The messages that the session has not taken in yet. */
  draw(theme: Theme): readonly string[];
  take(event: SessionEvent): void;
  /** Another session is shown from now on. */
  clear(): void;
}

export interface OutboxParts {
  readonly app: Pick<App, "host" | "view" | "send" | "say" | "edit" | "redraw">;
  readonly editor: MessageEditor;
  /** The model, until the session says it. */
  readonly model: string;
}

export function createOutbox({ app, editor, model }: OutboxParts): Outbox {
  const { images } = editor;
  let queued: string[] = [];
  let beside: string[] = [];
  let waiting = 0;
  let line: Promise<void> = Promise.resolve();
  let session = 0;

  const modelNow = () => app.view().session?.model ?? model;

  /** It is not sent, and nothing that was typed is lost. */
  function giveBack(message: string, why: string): void {
    app.say(why, "error");
    app.edit([message, editor.getText()].join("\n").trimEnd());
  }

  function put(message: string, shown: readonly ImageContent[]): void {
    const whole = [...beside.splice(0), message].join("\n\n");
    if (app.view().turn.running) queued.push(whole);
    const command: Command = { type: "user-message", content: whole };
    app.send(shown.length === 0 ? command : { ...command, images: shown });
    app.redraw();
  }

  async function putWithImages(message: string, wanted: Wanted, of: number): Promise<void> {
    const images = await gatherImages(wanted, app, modelNow).catch((error: unknown) => reasonOf(error));
    if (of !== session) giveBack(message, "another session is shown now: the message was not sent");
    else if (typeof images === "string") giveBack(message, images);
    else put(message, images);
  }

  return {
    addBeside: (text) => void beside.push(text),
    submit(message, typed) {
      for (const mark of typed === undefined ? [] : images.unknownIn(typed))
        app.say(
          `${mark} goes as text: the image is not at hand any more, put it in again to send it`,
          "warning",
        );
      const wanted: Wanted = { held: images.in(typed ?? message), named: mentionedImages(typed ?? "") };
      if (waiting === 0 && isNone(wanted)) return put(message, []);
      waiting += 1;
      const of = session;
      line = line
        .then(() => putWithImages(message, wanted, of))
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
    clear() {
      session += 1;
      queued = [];
      beside = [];
    },
  };
}

/** Images that stand in a message, and paths that it names behind `@`. */
interface Wanted {
  readonly held: readonly ImageContent[];
  readonly named: readonly string[];
}

function isNone({ held, named }: Wanted): boolean {
  return held.length + named.length === 0;
}

/** What goes along with a message; a text says why it cannot go. */
async function gatherImages(
  wanted: Wanted,
  app: Pick<App, "host" | "say">,
  model: () => string,
): Promise<readonly ImageContent[] | string> {
  const { held, named } = wanted;
  const sees = isNone(wanted) ? undefined : await app.host.canSee();
  if (sees === false && held.length > 0) return `${model()} sees no images; /model lists the models that do`;
  const images = [...held];
  for (const path of named) {
    const came = await app.host.readImage(path);
    if (came.kind === "refused") app.say(`@${path} goes as its name only: ${came.message}`, "warning");
    if (came.kind !== "image") continue;
    if (sees === false) app.say(`${model()} sees no images: @${path} goes as its name only`);
    else if (!images.some(({ data }) => data === came.image.data)) images.push(came.image);
  }
  return tooManyImages(images) ?? images;
}
