import { expect, test } from "vitest";
import { createFetchDoor, isPublic } from "../../src/http/fetch-door.ts";

test.each([
  ["http://127.0.0.1:8080/mcp", false],
  ["http://192.168.1.2/", false],
  ["http://[fd00::1]/", false],
  ["http://localhost/", false],
  ["https://1.1.1.1/", true],
  // A server must not open the person's network by a name that cannot be looked up now.
  ["https://no-such-name.invalid/", true],
])("%s counts as public: %s", async (url, expected) => {
  expect(await isPublic(url)).toBe(expected);
});

test.each(["http://127.0.0.1:9/", "http://localhost:9/", "http://169.254.169.254/"])(
  "a door to public addresses refuses %s",
  async (url) => {
    const door = createFetchDoor({ publicOnly: true });
    await expect(door.fetch(url)).rejects.toThrow(/never reached/);
    door.close();
  },
);
