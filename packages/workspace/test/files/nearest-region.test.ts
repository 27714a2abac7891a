import { expect, test } from "vitest";
import { nearestRegion } from "../../src/files/nearest-region.ts";

const text = "import a\n\ndef one():\n    return 1\n\ndef two(x):\n    y = x + 1\n    return y\n";

test.each([
  ["equal lines", "def two(x):\n    y = x + 2\n    return y", "6: def two(x):\n7:     y = x + 1"],
  ["alike lines", "    y = x + 10", "7:     y = x + 1"],
])("shows the region with %s", (_, wanted, region) => {
  expect(nearestRegion(text, wanted)).toContain(region);
});

test("shows nothing if nothing is similar", () => {
  expect(nearestRegion(text, "zzzz qqqq wwww")).toBeUndefined();
  expect(nearestRegion("", "a")).toBeUndefined();
});

test("shows at most 14 lines", () => {
  const long = Array.from({ length: 100 }, (_, index) => `value ${index}`).join("\n");
  expect(nearestRegion(long, long.replace("value 3", "other"))?.split("\n")).toHaveLength(14);
});
