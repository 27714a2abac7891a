/** Checks in what words a server's place is told. */
import { expect, test } from "vitest";
import { whereItRuns } from "../../src/host/where-it-runs.ts";

const [here, near, far] = ["on this machine", "in your network", "on another machine, outside your network"];

test.each([
  ["http://127.0.0.1:11434", here],
  ["http://localhost:8080/v1", here],
  ["http://[::1]:8080", here],
  ["http://192.168.1.7:11434", near],
  ["http://172.20.0.2", near],
  ["http://gpu:8000/v1", near],
  ["http://gpu.local:8000/v1", near],
  ["http://[fd00::7]:8000", near],
  ["https://api.example.com/v1", far],
  ["http://172.32.0.2", far],
  ["http://localhost.example.com", far],
  ["http://127.0.0.1.example.com", far],
  ["not an address", far],
])("%s is %s", (address, place) => {
  expect(whereItRuns(address)).toBe(place);
});
