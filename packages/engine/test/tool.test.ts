/** The functions with which tools return a failure and are defined. */
import { defineTool, failed } from "@localharness/engine";
import { expect, test } from "vitest";
import { makeTool } from "./make-tool.ts";

test("failed gives a failed output, with what is worth keeping of it", () => {
  expect(failed("io_error", "disk full")).toEqual({ ok: false, errorType: "io_error", message: "disk full" });
  expect(failed("io_error", "exit 1", "log")).toEqual({
    ok: false,
    errorType: "io_error",
    message: "exit 1",
    data: "log",
  });
});

test("defineTool returns the tool unchanged", () => {
  const tool = makeTool();
  expect(defineTool(tool)).toBe(tool);
});
