/** A queue to which one side adds at any time, and from which the other side waits for items. */
import { expect, test } from "vitest";
import { createMailbox } from "../../src/calls/mailbox.ts";

test("gives items in the order they were put, before or after they are awaited", async () => {
  const mailbox = createMailbox<number>();
  mailbox.put(1);
  mailbox.put(2);
  expect([await mailbox.take(), await mailbox.take()]).toEqual([1, 2]);
  const third = mailbox.take();
  mailbox.put(3);
  mailbox.put(4);
  expect([await third, await mailbox.take()]).toEqual([3, 4]);
});
