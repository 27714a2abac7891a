/** The store of snapshots: what is taken can be read again, and its size never exceeds the quota. */

import { createHash } from "node:crypto";
import { closeSync, openSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ContentPacks, type ContentPlace, openContentPacks } from "../../src/snapshots/content-packs.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const megabyte = 1024 * 1024;

function open(quota: number) {
  const folder = temporaryFolder();
  const store = join(folder, "store");
  const packs = openContentPacks(store, quota);
  const add = (bytes: Buffer, to: ContentPacks = packs) => {
    const path = join(folder, "file");
    writeFileSync(path, bytes, { mode: 0o644 });
    const descriptor = openSync(path, "r");
    const place = to.add(bytes, createHash("sha256").update(bytes).digest("hex"), descriptor);
    closeSync(descriptor);
    return place;
  };
  const size = () => readdirSync(store).reduce((sum, name) => sum + statSync(join(store, name)).size, 0);
  return { store, packs, add, size };
}

const filled = (length: number, byte: number) => Buffer.alloc(length, byte);

test("contents of all sizes are read as they were taken, also by another session", () => {
  const { store, packs, add } = open(64 * megabyte);
  const all = [0, 1, 5000, 262_143, 262_144, megabyte].map((length, at) => filled(length, at + 65));
  const places = all.map((bytes) => add(bytes));
  expect(packs.flush()).toBe(true);
  const other = openContentPacks(store, 64 * megabyte);
  other.refresh();
  for (const [at, place] of places.entries()) {
    expect(place).toBeDefined();
    expect(other.has(place as ContentPlace)).toBe(true);
    expect(other.read(place as ContentPlace)?.equals(all[at] as Buffer)).toBe(true);
  }
  for (const name of readdirSync(store)) expect(statSync(join(store, name)).mode & 0o777).toBe(0o600);
});

test("a large file that has changed since it was read is not stored as its old content", () => {
  const { store, packs } = open(64 * megabyte);
  const path = join(store, "../changed");
  writeFileSync(path, filled(megabyte, 2));
  const bytes = filled(megabyte, 1);
  const hash = createHash("sha256").update(bytes).digest("hex");
  const descriptor = openSync(path, "r");
  const place = packs.add(bytes, hash, descriptor);
  closeSync(descriptor);
  expect(place === undefined || packs.read(place)?.equals(bytes)).toBe(true);
  // What else was taken is stored.
  expect(packs.flush()).toBe(true);
});

test("a large content that is there is not stored again", () => {
  const { add, size } = open(64 * megabyte);
  expect(add(filled(megabyte, 1))).toEqual(add(filled(megabyte, 1)));
  expect(size()).toBe(megabyte);
});

test("the size stays within the quota, and the oldest contents go first", () => {
  const { packs, add, size } = open(4 * megabyte);
  const places: (ContentPlace | undefined)[] = [];
  for (let at = 0; at < 100; at += 1) {
    places.push(add(filled(at % 3 === 0 ? 300_000 : 100_000, at)));
    expect(packs.flush()).toBe(true);
    expect(size()).toBeLessThanOrEqual(4 * megabyte);
  }
  packs.refresh();
  expect(places.every((place) => place !== undefined)).toBe(true);
  expect(packs.has(places.at(-1) as ContentPlace)).toBe(true);
  expect(packs.has(places[1] as ContentPlace)).toBe(false);
  expect(packs.read(places[1] as ContentPlace)).toBeUndefined();
});

test("several sessions share the quota", () => {
  const { store, packs, add, size } = open(4 * megabyte);
  const other = openContentPacks(store, 4 * megabyte);
  for (let at = 0; at < 60; at += 1) {
    for (const one of [packs, other]) {
      one.refresh();
      add(filled(100_000, at), one);
      one.flush();
    }
  }
  // A session knows of the others from its last look.
  expect(size()).toBeLessThanOrEqual(4 * megabyte + 200_000);
});

test("a content above the quota is not taken", () => {
  const { add } = open(megabyte);
  expect(add(filled(2 * megabyte, 1))).toBeUndefined();
});

test("a store that cannot be written says so", () => {
  const { store, packs, add } = open(4 * megabyte);
  writeFileSync(store, "a file in its place");
  expect(add(filled(10, 1))).toBeUndefined();
  expect(packs.flush()).toBe(false);
});

test("a pack that someone has removed is not used any more", () => {
  const { store, packs, add } = open(4 * megabyte);
  const before = add(filled(10, 1)) as ContentPlace;
  packs.flush();
  rmSync(join(store, before.unit));
  packs.refresh();
  const after = add(filled(10, 2)) as ContentPlace;
  packs.flush();
  expect(packs.has(before)).toBe(false);
  expect(packs.read(after)).toEqual(filled(10, 2));
});
