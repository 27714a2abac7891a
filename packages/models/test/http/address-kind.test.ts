import { describe, expect, test } from "vitest";
import { type AddressKind, addressKind } from "../../src/http/address-kind.ts";

const rows: readonly (readonly [AddressKind, string])[] = [
  [
    "public",
    "8.8.8.8 1.1.1.1 172.15.255.255 172.32.0.1 100.128.0.1 223.255.255.255 2606:4700::1111 2a00::1 ::ffff:8.8.8.8",
  ],
  [
    "private",
    "127.0.0.1 127.9.9.9 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 198.18.0.1",
  ],
  ["private", "224.0.0.1 239.255.255.250 255.255.255.255 192.0.2.1 :: ::1 fc00::1 fd12::1 2001:db8::1"],
  ["private", "::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:7f00:1 0:0:0:0:0:ffff:c0a8:0101"],
  ["closed", "169.254.169.254 169.254.0.1 100.100.100.200 ::ffff:169.254.169.254 fe80::1 fd00:ec2::254"],
  ["closed", "100.96.0.96 100.80.80.80 168.63.129.16 ::ffff:168.63.129.16 192.0.0.192"],
  ["closed", "fd00:c1::a9fe:a9fe fd00:42::42 fd00:a9fe:a9fe::1 fd00:100::100:200 fd20:ce::254"],
  ["private", "100.96.0.97 192.0.0.191 fd00:c1::1 fd00:42::1"],
  ["public", "168.63.129.15 168.63.129.17"],
  ["closed", "2002:7f00:1::1 2001:0:1::1 64:ff9b::7f00:1 ff02::1 ::7f00:1 no-address"],
];

describe("an address", () => {
  test.each(rows.flatMap(([kind, all]) => all.split(" ").map((address) => [kind, address] as const)))(
    "is %s: %s",
    (kind, address) => expect(addressKind(address)).toBe(kind),
  );
});
