import { expect, test } from "vitest";
import { systemFailure } from "../src/outcome.ts";

test.each([
  ["ENOENT", "not_found", "does not exist"],
  ["ENOTDIR", "io_error", "as if it were a folder"],
  ["EISDIR", "io_error", "is a folder"],
  ["EACCES", "io_error", "denies permission"],
  ["EROFS", "io_error", "read-only"],
  ["ENOSPC", "io_error", "disk is full"],
  ["EDQUOT", "io_error", "quota"],
  ["ELOOP", "validation_failed", "circle"],
  ["ENAMETOOLONG", "validation_failed", "too long"],
  ["EIO", "io_error", "reports EIO"],
])("%s is %s and says what to do", (code, errorType, words) => {
  const failure = systemFailure(Object.assign(new Error("x"), { code }), "a/b.txt");
  expect(failure.errorType).toBe(errorType);
  expect(failure.message).toContain('"a/b.txt"');
  expect(failure.message).toContain(words);
});

test("an error that is not a system error is unknown", () => {
  expect(systemFailure(undefined, "x").message).toContain("UNKNOWN");
});
