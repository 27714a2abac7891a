/** Two network namespaces of this kernel: that of the tests, and a new one, joined by a pair of virtual network cards. */
import { execFileSync } from "node:child_process";

export interface OtherNetwork {
  /** The address of the other side, as seen from here. */
  readonly address: string;
  /** The words that start a program there. */
  readonly inside: readonly string[];
  /** Breaks the TCP connections between the sides. `there`: in the other namespace, else in this one. Both ends learn of it. */
  breakConnections(there: boolean): void;
  /** Takes the link away, or gives it back. Meanwhile no packet goes through, and neither end learns of it. */
  setLink(isUp: boolean): void;
  close(): void;
}

const quiet = { stdio: "ignore" } as const;

/** Returns why there can be no other network here; undefined if there can be one. */
export function whyNoNetworks(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "only root on Linux makes networks";
  try {
    execFileSync("ip", ["netns", "add", probe], quiet);
    execFileSync("ip", ["netns", "del", probe], quiet);
    execFileSync("ss", ["-H", "-t"], quiet);
    return undefined;
  } catch {
    return "ip netns or ss does not work here";
  }
}

const probe = `lh-probe-${process.pid}`;

/** Makes the other network. Throws if the system refuses. */
export function openOtherNetwork(): OtherNetwork {
  const id = process.pid % 60_000;
  const name = `lh-${id}`;
  const [here, there] = [`lh${id}a`, `lh${id}b`];
  const net = `10.${200 + (id % 50)}.${(id >> 6) % 250}`;
  const ip = (...words: readonly string[]) => execFileSync("ip", words, quiet);
  const inside = ["ip", "netns", "exec", name] as const;
  const close = () => {
    for (const words of [
      ["link", "del", here],
      ["netns", "del", name],
    ]) {
      try {
        ip(...words);
      } catch {
        // It was not made, or went with the other.
      }
    }
  };
  try {
    ip("netns", "add", name);
    ip("link", "add", here, "type", "veth", "peer", "name", there, "netns", name);
    ip("addr", "add", `${net}.1/30`, "dev", here);
    ip("-n", name, "addr", "add", `${net}.2/30`, "dev", there);
    ip("link", "set", here, "up");
    ip("-n", name, "link", "set", there, "up");
    ip("-n", name, "link", "set", "lo", "up");
  } catch (error) {
    close();
    throw error;
  }
  return {
    address: `${net}.2`,
    inside,
    breakConnections(isThere) {
      const words = ["ss", "-K", "-t", "dst", `${net}.${isThere ? 1 : 2}`];
      const [command = "", ...args] = isThere ? [...inside, ...words] : words;
      execFileSync(command, args, quiet);
    },
    setLink: (isUp) => ip("link", "set", here, isUp ? "up" : "down"),
    close,
  };
}
