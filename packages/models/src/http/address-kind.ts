/** Distinguishes public internet addresses from the addresses of this machine and its networks. */
import { BlockList, isIP } from "node:net";

/**
 * `closed` addresses are never reached: at some of them cloud machines give out keys, and others contain an IPv4 address.
 * `private` addresses belong to this machine or its networks; each door decides whether to reach them.
 */
export type AddressKind = "public" | "private" | "closed";

/** The ranges that are not public. A mapped IPv6 address counts as the IPv4 address that it contains. */
const ranges: readonly (readonly [kind: "private" | "closed", network: string, bits: number])[] = [
  ["private", "0.0.0.0", 8],
  ["private", "10.0.0.0", 8],
  ["private", "100.64.0.0", 10],
  ["private", "127.0.0.0", 8],
  ["private", "172.16.0.0", 12],
  ["private", "192.0.0.0", 24],
  ["private", "192.0.2.0", 24],
  ["private", "192.88.99.0", 24],
  ["private", "192.168.0.0", 16],
  ["private", "198.18.0.0", 15],
  ["private", "198.51.100.0", 24],
  ["private", "203.0.113.0", 24],
  ["private", "224.0.0.0", 4],
  ["private", "240.0.0.0", 4],
  ["private", "::", 128],
  ["private", "::1", 128],
  ["private", "fc00::", 7],
  ["private", "2001:db8::", 32],
  ["private", "3fff::", 20],
  // Where cloud machines give out keys. Most clouds do it at link-local addresses.
  ["closed", "169.254.0.0", 16],
  ["closed", "fe80::", 10],
  // Alibaba Cloud
  ["closed", "100.100.100.200", 32],
  ["closed", "fd00:100::100:200", 128],
  // UCloud
  ["closed", "100.80.80.80", 32],
  // Volcano Engine
  ["closed", "100.96.0.96", 32],
  // Azure
  ["closed", "168.63.129.16", 32],
  // Oracle
  ["closed", "192.0.0.192", 32],
  ["closed", "fd00:c1::a9fe:a9fe", 128],
  // Amazon
  ["closed", "fd00:ec2::", 32],
  // Google
  ["closed", "fd20:ce::", 32],
  // Scaleway
  ["closed", "fd00:42::42", 128],
  // Akamai
  ["closed", "fd00:a9fe:a9fe::1", 128],
  // Addresses that contain an IPv4 address, such as 6to4 and Teredo, and other protocol assignments.
  ["closed", "2002::", 16],
  ["closed", "2001::", 23],
];

type Lists = Readonly<Record<"private" | "closed" | "global", BlockList>>;

let lists: Lists | undefined;

/** Returns the kind of an IP address; `closed` for any other text. */
export function addressKind(address: string): AddressKind {
  const version = isIP(address);
  if (version === 0) return "closed";
  lists ??= readRanges();
  const family = version === 6 ? "ipv6" : "ipv4";
  if (lists.closed.check(address, family)) return "closed";
  if (lists.private.check(address, family)) return "private";
  // Only the IPv6 addresses that are assigned to the internet are public. The prefixes for translation are not.
  return version === 4 || lists.global.check(address, family) ? "public" : "closed";
}

function readRanges(): Lists {
  const read = { private: new BlockList(), closed: new BlockList(), global: new BlockList() };
  for (const [kind, network, bits] of ranges) {
    read[kind].addSubnet(network, bits, network.includes(":") ? "ipv6" : "ipv4");
  }
  read.global.addSubnet("2000::", 3, "ipv6");
  read.global.addSubnet("::ffff:0:0", 96, "ipv6");
  return read;
}
