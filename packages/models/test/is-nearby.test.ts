/** Which addresses look like this machine or a part of a private network. */
import { expect, it } from "vitest";
import { isNearby } from "../src/wire/openai-chat.ts";

const nearby =
  "localhost 127.0.0.1 127.1 [::1] 10.1.2.3 172.16.0.1 192.168.1.1 100.64.0.1 [fd00::1] [::ffff:10.0.0.1] box box.local nas.lan host.docker.internal";
const elsewhere =
  "api.openai.com 8.8.8.8 172.32.0.1 [2606:4700::1111] 10.example.com 127.evil.org 192.168.1.example local.example";
it.each([
  ...nearby.split(" ").map((host) => [host, true] as const),
  ...elsewhere.split(" ").map((host) => [host, false] as const),
])("a server at %s is nearby: %j", (host, expected) => {
  expect(isNearby(`http://${host}:8080/v1`)).toBe(expected);
});
