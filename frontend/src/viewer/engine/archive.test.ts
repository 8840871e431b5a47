import { HttpResponse, http } from "msw";
import { describe, expect, it } from "vitest";
import { server } from "@/test/server";
import { storeZip } from "@/transfer/storeZip";
import { letBlobsBeRead } from "@/transfer/test/memoryStore";
import { TileArchive } from "./archive";

letBlobsBeRead();

const URL = "https://store.test/d/u1/r/1/model.zip";

async function archive(): Promise<Uint8Array> {
  const zip = await storeZip([
    { name: "tileset.json", data: new Blob(['{"root":{}}']) },
    { name: "tiles/a.glb", data: new Blob(["glTF".repeat(500)]) },
  ]);
  return new Uint8Array(await zip.arrayBuffer());
}

/** A store that supports ranges; `heard` records the requests. */
function serve(bytes: Uint8Array, status = 206): string[] {
  const heard: string[] = [];
  server.use(
    http.get(URL, ({ request }) => {
      const range = request.headers.get("range") ?? "";
      heard.push(range);
      const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
      const start = from ? Number(from) : Math.max(0, bytes.length - Number(to));
      const end = from && to ? Math.min(bytes.length, Number(to) + 1) : bytes.length;
      return new HttpResponse(bytes.slice(start, end), {
        status,
        headers: { "content-range": `bytes ${start}-${end - 1}/${bytes.length}` },
      });
    }),
  );
  return heard;
}

describe("TileArchive", () => {
  it("reads entries by ranges of one address", async () => {
    const bytes = await archive();
    const heard = serve(bytes);
    const opened = await TileArchive.open(URL);
    expect(opened.size).toBe(bytes.length);
    const text = async (path: string) => new TextDecoder().decode(await opened.read(path));
    expect(await text("tileset.json")).toBe('{"root":{}}');
    expect(await text("tiles/a.glb")).toBe("glTF".repeat(500));
    expect(opened.has("tiles/b.glb")).toBe(false);
    await expect(opened.read("tiles/b.glb")).rejects.toMatchObject({ fault: "broken" });
    // one for the directory, one for each entry
    expect(heard).toHaveLength(3);
  });

  it("tells an expired address, a server without ranges, and a broken file apart", async () => {
    const bytes = await archive();
    serve(bytes, 403);
    await expect(TileArchive.open(URL)).rejects.toMatchObject({ fault: "expired" });
    serve(bytes, 200);
    await expect(TileArchive.open(URL)).rejects.toMatchObject({ fault: "network" });
    serve(bytes.slice(0, 100));
    await expect(TileArchive.open(URL)).rejects.toMatchObject({ fault: "broken" });
    const torn = bytes.slice();
    torn.fill(0, bytes.length - 120, bytes.length - 22);
    serve(torn);
    await expect(TileArchive.open(URL)).rejects.toMatchObject({ fault: "broken" });
  });
});
