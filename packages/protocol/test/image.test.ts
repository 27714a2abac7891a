import { expect, test } from "vitest";
import {
  type ImageContent,
  imageBytes,
  imageLimits,
  imageLine,
  imageTypeOf,
  readImages,
  textWithImages,
} from "../src/image.ts";

const base64 = (...bytes: number[]) => btoa(String.fromCharCode(...bytes));
const text = (letters: string) => [...letters].map((letter) => letter.charCodeAt(0));
const png = base64(0x89, ...text("PNG\r\n"), 0x1a, 0x0a, 0, 0, 0, 13, ...text("IHDR"));
const webp = base64(...text("RIFF"), 0xff, 0xfe, 0xfd, 0, ...text("WEBPVP8 "));

test.each([
  ["image/png", png],
  ["image/jpeg", base64(0xff, 0xd8, 0xff, 0xe0, 0, 16, ...text("JFIF"))],
  ["image/gif", base64(...text("GIF89a"), 1, 0)],
  ["image/gif", base64(...text("GIF87a"), 255, 255)],
  ["image/webp", webp],
  [undefined, base64(...text("RIFF"), 0, 0, 0, 0, ...text("WAVEfmt "))],
  [undefined, base64(...text("<svg xmlns='http://www.w3.org/2000/svg'>"))],
  [undefined, base64(...text("GIF88a"))],
  [undefined, base64(0x89, ...text("PNG"))],
  [undefined, ""],
])("the first bytes say %s", (type, data) => {
  expect(imageTypeOf(data)).toBe(type);
});

test("images that came from outside are taken as they are, without keys that are not known", () => {
  const image = { mediaType: "image/png", data: png, name: "a.png" };
  expect(
    readImages([
      { ...image, more: 1 },
      { mediaType: "image/webp", data: webp },
    ]),
  ).toEqual({
    ok: true,
    images: [image, { mediaType: "image/webp", data: webp }],
  });
});

const large = `${png.slice(0, 16)}${"A".repeat(16 * 1024 * 1024)}`;

test.each([
  ["no list", {}, /a list/],
  ["no object", [5], /image 1 .*must be an object/],
  ["no data", [{ mediaType: "image/png" }], /base64/],
  ["line ends", [{ mediaType: "image/png", data: `${png.slice(0, 8)}\n${png.slice(9)}` }], /base64/],
  ["half a letter", [{ mediaType: "image/png", data: png.slice(0, -1) }], /base64/],
  ["a script", [{ mediaType: "image/png", data: `${png}"><script>x` }], /base64/],
  ["another type", [{ mediaType: "image/gif", data: png }], /is image\/png by its first bytes/],
  ["a type that is not ours", [{ mediaType: "image/svg+xml", data: png }], /says something else/],
  [
    "no image",
    [{ mediaType: "image/png", data: base64(...text("hello!")) }],
    /does not begin like an image of a known type/,
  ],
  ["a name that is no text", [{ mediaType: "image/png", data: png, name: 5 }], /"name"/],
  ["a name that is too long", [{ mediaType: "image/png", data: png, name: "n".repeat(201) }], /"name"/],
  [
    "more than is looked at",
    Array.from({ length: 12 }, (_, index) => ({ mediaType: "image/png", data: index < 11 ? png : "" })),
    /10 images/,
  ],
  ["too many", Array.from({ length: 11 }, () => ({ mediaType: "image/png", data: png })), /10 images/],
  [
    "too large",
    [1, 2].map(() => ({ mediaType: "image/png", data: large })),
    /at most 20 MB, these take 24\.0/,
  ],
])("%s is refused", (_what, value, said) => {
  expect(readImages(value)).toEqual({ ok: false, message: expect.stringMatching(said) });
});

test("as many and as large as the limits say", () => {
  const many = Array.from({ length: imageLimits.images }, () => ({ mediaType: "image/png", data: png }));
  expect(readImages(many).ok).toBe(true);
  expect(readImages([{ mediaType: "image/png", data: large }]).ok).toBe(true);
});

const shown: ImageContent = { mediaType: "image/png", data: `${png.slice(0, 16)}${"A".repeat(160_000)}` };

test("a line stands for an image, and nothing in its name breaks out of it", () => {
  expect(imageLine({ ...shown, name: "pic.png" })).toBe("[Image pic.png, 120 KB]");
  expect(imageLine({ ...shown, name: "a]\u001b[2J\u202egnp\n.png" })).toBe("[Image a___2J_gnp_.png, 120 KB]");
  expect(imageLine(shown)).toBe("[Image without name, 120 KB]");
  expect(imageBytes({ mediaType: "image/png", data: btoa("12345678") })).toBe(8);
});

test("a message names each of its images once", () => {
  const images = [{ ...shown, name: "a.png" }];
  expect(textWithImages({ content: "x [Image a.png, 120 KB] y", images })).toBe("x [Image a.png, 120 KB] y");
  expect(textWithImages({ content: "see @a.png", images })).toBe("see @a.png\n[Image a.png, 120 KB]");
  expect(textWithImages({ content: "plain" })).toBe("plain");
});
