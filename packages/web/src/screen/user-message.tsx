/** Shows a message of the person, and what can be done with it. */
import { type ItemOf, imageLine } from "@localharness/protocol";
import type { ReactNode } from "react";
import { shownText } from "../markdown/shown-text.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Icon } from "../parts/icon.tsx";
import { goBack } from "./rewind.ts";
import { useClient } from "./use-client.ts";

export function UserMessage({ item }: { readonly item: ItemOf<"user"> }): ReactNode {
  const client = useClient();
  return (
    <article aria-label="Your message" className="group flex items-end justify-end gap-1">
      <div className="flex h-8 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100">
        <CopyButton text={item.text} what="the message" />
        <button
          type="button"
          className="icon-button"
          aria-label="Go back to before this message"
          title="Go back to before this message"
          onClick={() => void goBack(client, item)}
        >
          <Icon name="branch" />
        </button>
      </div>
      <div className="max-w-[88%] rounded-2xl rounded-br-md border border-line bg-sunken px-4 py-2.5">
        <p className="text-[14.5px] leading-[1.6] whitespace-pre-wrap [overflow-wrap:anywhere]">
          {shownText(item.text)}
        </p>
        {item.images === undefined ? null : (
          <div className="mt-2 flex flex-wrap gap-2">
            {item.images.map((image) => (
              <img
                key={image.data.slice(0, 64)}
                src={`data:${image.mediaType};base64,${image.data}`}
                alt={imageLine(image)}
                className="max-h-48 rounded-lg border border-line"
              />
            ))}
          </div>
        )}
      </div>
    </article>
  );
}
