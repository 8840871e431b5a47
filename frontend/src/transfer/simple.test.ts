import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MB } from "./rules";
import { fbxVersion, imageSize, judgeSimpleModel, judgeTexture, simpleMessages } from "./simpleRules";
import { storeZip } from "./storeZip";
import { letBlobsBeRead } from "./test/memoryStore";
import { binaryFbx, jpeg, png } from "./test/sampleFiles";

letBlobsBeRead();

const file = (name: string, data: Uint8Array<ArrayBuffer>) => new File([data], name);

describe("simple uploader", () => {
  it("takes FBX from 2013 on and refuses an older one (UP037)", async () => {
    expect(await judgeSimpleModel(file("a.fbx", binaryFbx(7300)))).toBeUndefined();
    expect(await judgeSimpleModel(file("a.fbx", binaryFbx(6100)))).toBe(simpleMessages.oldFbx("6.1"));
    expect(await judgeSimpleModel(file("a.fbx", binaryFbx(7200)))).toBe(simpleMessages.oldFbx("7.2"));
    expect(await judgeSimpleModel(file("a.fbx", new TextEncoder().encode("no fbx at all")))).toBe(
      simpleMessages.badFbx,
    );
  });

  it("reads the version of a text FBX", () => {
    const text = (s: string) => new TextEncoder().encode(s);
    expect(fbxVersion(text("; FBX 7.3.0 project file\n"))).toBe(7300);
    expect(fbxVersion(text("; FBX 6.1.0 project file\nFBXVersion: 6100\n"))).toBe(6100);
  });

  it("takes obj, stl, 3ds, zip and rar up to 100 MB, nothing else (UP038, UP039)", async () => {
    const some = new Uint8Array(4);
    for (const name of ["a.obj", "a.stl", "a.3ds", "a.zip", "a.rar"]) {
      expect(await judgeSimpleModel(file(name, some))).toBeUndefined();
    }
    expect(await judgeSimpleModel(file("a.ply", some))).toBe(simpleMessages.formats);
    const large = file("a.obj", some);
    Object.defineProperty(large, "size", { value: 100 * MB + 1 });
    expect(await judgeSimpleModel(large)).toBe("文件大小不得超过100MB");
  });

  it("takes jpg and png textures up to 2048 × 2048 (UP040, UP041)", async () => {
    expect(await judgeTexture(file("a.png", png(2048, 2048)))).toBeUndefined();
    expect(await judgeTexture(file("a.png", png(2049, 2048)))).toBe(simpleMessages.textureSize);
    expect(await judgeTexture(file("a.jpg", jpeg(1024, 4096)))).toBe(simpleMessages.textureSize);
    expect(await judgeTexture(file("a.tga", png(1, 1)))).toBe(simpleMessages.textureType);
    expect(await judgeTexture(file("a.png", new Uint8Array(8)))).toBe(simpleMessages.textureBroken);
    expect(imageSize(jpeg(640, 480))).toEqual({ width: 640, height: 480 });
  });

  it("packs model and textures into a zip that other tools open", async () => {
    const model = new TextEncoder().encode("o 齿轮\n");
    const zip = await storeZip([
      { name: "齿轮.obj", data: file("齿轮.obj", model) },
      { name: "wood.png", data: file("wood.png", png(2, 2)) },
    ]);
    const folder = mkdtempSync(join(tmpdir(), "xuanlan-zip-"));
    try {
      writeFileSync(join(folder, "a.zip"), new Uint8Array(await zip.arrayBuffer()));
      const script =
        "import zipfile,sys;z=zipfile.ZipFile(sys.argv[1]);assert z.testzip() is None;z.extractall(sys.argv[2])";
      execFileSync("python3", ["-c", script, join(folder, "a.zip"), folder]);
      expect(readFileSync(join(folder, "齿轮.obj"))).toEqual(Buffer.from(model));
      expect(readFileSync(join(folder, "wood.png"))).toEqual(Buffer.from(png(2, 2)));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
