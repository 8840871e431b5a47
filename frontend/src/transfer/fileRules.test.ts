import { expect, it } from "vitest";
import { AVATAR_LIMIT_MB, type FileKind, judgeFile } from "./fileRules";

const file = (name: string, bytes = 10) => {
  const made = new File(["x"], name);
  Object.defineProperty(made, "size", { value: bytes });
  return made;
};
const judge = (name: string, kind: FileKind, limitMb = 5) => judgeFile(file(name), kind, limitMb);

it.each(["a.jpg", "a.jpeg", "a.png", "a.JPEG", "a.BMP", "a.GIF", "a.WEBP"])(
  "a picture may be %s (UP029)",
  (name) => expect(judge(name, "picture")).toBeUndefined(),
);

it.each(["a.svg", "a.tiff", "a", "png", "a.png.exe"])("a picture may not be %s (UP030)", (name) =>
  expect(judge(name, "picture")).toBe("图片格式不正确！仅支持jpg,jpeg,png,JPEG,BMP,GIF,WEBP文件"),
);

it("an avatar has at most 50 MB (UP031)", () => {
  const of = (megabytes: number) =>
    judgeFile(file("a.png", megabytes * 1_048_576), "picture", AVATAR_LIMIT_MB);
  expect(of(50)).toBeUndefined();
  expect(of(51)).toBe("单个文件不能超过50M");
});

it("the limit of the place stands in its message (UP033)", () => {
  expect(judgeFile(file("a.zip", 21 * 1_048_576), "zip", 20)).toBe("单个文件不能超过20M");
  expect(judgeFile(file("a.png", 2 * 1_048_576 + 1), "img", 2)).toBe("单个文件不能超过2M");
  expect(judgeFile(file("a.png", 0), "img", 2)).toBe("这个文件是空的，请重新选择");
});

it.each([
  ["video", { "a.mp4": true, "a.m4v": true, "a.avi": false }],
  ["img", { "a.jpg": true, "a.png": true, "a.gif": false }],
  ["zip", { "a.zip": true, "a.rar": true, "a.7z": false }],
] as const)(
  "the generic uploader of kind %s takes its own types only (UP034, UP035, UP036)",
  (kind, cases) => {
    for (const [name, taken] of Object.entries(cases))
      expect(judge(name, kind) === undefined, name).toBe(taken);
  },
);
