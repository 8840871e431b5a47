import { expect, it } from "vitest";
import { processEndpoints } from "@/calls/process";
import { startStore } from "@/test/render";
import { answer } from "@/test/server";
import { fileAhead } from "./ahead";

const at = (search: string) => new URL(`http://site.test/workbench/myUpload/sourceFile${search}`);
const preloads = () =>
  [...document.head.querySelectorAll<HTMLLinkElement>("link[rel=preload]")].map(
    // jsdom has no property `as`
    (link) => `${link.getAttribute("as")} ${link.href}`,
  );

it("a file's details are read once, and its copy and picture begin to load before the page is drawn", async () => {
  const urls = { previewUrl: "http://s/full", proxyUrl: "http://s/copy", thumbUrl: "http://s/picture" };
  const heard = answer({ detail: { datas: { fileId: "7", fileName: "a.glb", ...urls } } });
  const store = startStore();
  fileAhead(at("?fileId=7"));
  await expect.poll(preloads).toEqual(["image http://s/picture", "fetch http://s/copy"]);
  const page = store.dispatch(processEndpoints.fileDetail.initiate({ fileId: "7" }));
  expect((await page).data?.fileName).toBe("a.glb");
  expect(heard.filter(({ name }) => name === "detail")).toHaveLength(1);
});

it("an address without a file asks for nothing", () => {
  const heard = answer({});
  startStore();
  fileAhead(at(""));
  expect(heard).toEqual([]);
});
