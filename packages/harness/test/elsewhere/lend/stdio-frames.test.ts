import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";

const source = new URL("../../../src/elsewhere/lend/stdio-frames.ts", import.meta.url).href;
const program = `
  const { stdioFrames } = await import(${JSON.stringify(source)});
  stdioFrames().listen({
    onText: (text) => console.log("text", text),
    onClosed: (why) => console.log("closed:", why),
  });
`;

test("a message that is too long ends the connection before its end has come", async () => {
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill());
  // The child closes the pipe while it is written to.
  child.stdin.on("error", () => undefined);
  child.stdin.write(`hi\n${"x".repeat(25 * 1024 * 1024)}`);
  expect(await text(child.stdout)).toBe("text hi\nclosed: a message was too long\n");
});
