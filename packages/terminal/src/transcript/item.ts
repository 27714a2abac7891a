/** Defines the items that this screen draws: those of the timeline, and its own. */
import type { Item, ItemOf } from "@localharness/protocol";

type Keyless<Kind extends Item["kind"]> = Omit<ItemOf<Kind>, "key">;

/**
 * An item to draw. `shown` is the part of a message that is drawn until the item is opened; absent if all of the message is
 * drawn. Texts may be untrusted: control characters are removed when they are drawn.
 */
export type DrawnItem = { [Kind in Item["kind"]]: Keyless<Kind> }[Item["kind"]] & { readonly shown?: string };

export type DrawnItemOf<Kind extends Item["kind"]> = Extract<DrawnItem, { readonly kind: Kind }>;
