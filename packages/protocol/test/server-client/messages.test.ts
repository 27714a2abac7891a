/** Checks how a client reads the frames of a server. */
import { type RoomState, readSocketMessage, roomsAfter } from "@localharness/protocol";
import { expect, test } from "vitest";

test.each([
  ['{"kind":"closed"}', { kind: "closed" }],
  ['{"kind":"rooms","rooms":[]}', { kind: "rooms", rooms: [] }],
  ['{"kind":"later"}', undefined],
  ["[]", undefined],
  ["{", undefined],
])("the frame %s is read as %j", (frame, message) => {
  expect(readSocketMessage(frame)).toEqual(message);
});

test("a list of sessions takes those that changed, are new and were closed", () => {
  const room = (id: string, last: number): RoomState => ({
    ...{ id, last, mode: "default", model: "m", running: false, questions: 0, watchers: 1 },
  });
  const whole = roomsAfter([room("old", 1)], {
    kind: "rooms",
    whole: true,
    rooms: [room("a", 1), room("b", 1), room("c", 1)],
  });
  const after = roomsAfter(whole, { kind: "rooms", rooms: [room("d", 1), room("c", 2)], closed: ["b", "x"] });
  expect(after).toEqual([room("a", 1), room("c", 2), room("d", 1)]);
});
