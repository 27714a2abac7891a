/** The images that go with the message. */
import { type ImageContent, imageLine } from "@localharness/protocol";
import type { ReactNode } from "react";
import { Icon } from "../parts/icon.tsx";

export function ImageRow({
  images,
  remove,
}: {
  readonly images: readonly ImageContent[];
  readonly remove: (at: number) => void;
}): ReactNode {
  if (images.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-2 px-4 pt-3" aria-label="Images of the message">
      {images.map((image, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same image may be attached twice.
        <li key={at} className="relative">
          <img
            src={`data:${image.mediaType};base64,${image.data}`}
            alt={imageLine(image)}
            className="h-16 rounded-lg border border-line object-cover"
          />
          <button
            type="button"
            className="absolute -top-2 -right-2 rounded-full border border-line bg-raised p-1"
            aria-label={`Remove ${imageLine(image)}`}
            onClick={() => remove(at)}
          >
            <Icon name="cross" className="size-3" />
          </button>
        </li>
      ))}
    </ul>
  );
}
