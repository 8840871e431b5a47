import { screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { grant } from "@/features/upload/test/uploadAnswers";
import { syncSession } from "@/session";
import { writeLogin } from "@/session/cookies";
import { renderPage } from "@/test/render";
import { type Answer, answer } from "@/test/server";
import { standInObjectUrls } from "@/test/standIn";
import { MemoryStore } from "@/transfer/test/memoryStore";
import { FileUploader } from "./FileUploader";
import { type UploadRules, useUploads } from "./useUploads";

let objects: MemoryStore;
beforeAll(async () => {
  objects = await MemoryStore.start();
});
afterAll(() => objects.stop());
beforeEach(() => {
  standInObjectUrls("blob:preview");
  objects.objects.clear();
  objects.refuse = () => undefined;
});

const RULES: UploadRules = { kind: "picture", limitMb: 2, most: 2 };

function Place(rules: UploadRules) {
  const uploads = useUploads(rules);
  return (
    <>
      <FileUploader label="截图" hint="最多两张" kind={rules.kind} most={rules.most} uploads={uploads} />
      <output>{uploads.busy ? "busy" : uploads.addresses.join(",")}</output>
    </>
  );
}

function open(rules = RULES, scan: Answer | (() => Answer) = {}) {
  writeLogin("tok", "u1");
  const calls = answer({ getHuaweiParam: () => ({ datas: grant(objects) }), imageSyncScan: scan });
  const page = renderPage(<Place {...rules} />);
  page.store.dispatch(syncSession());
  const choose = (...files: File[]) =>
    page.user.upload(screen.getByLabelText("截图", { selector: "input" }), files);
  const scans = () => calls.filter(({ name }) => name === "imageSyncScan").map(({ form }) => form.imgUrl);
  return { ...page, choose, scans };
}

const picture = (name: string) => new File(["pixels"], name, { type: "image/png" });
const addresses = async () => {
  await waitFor(() => expect(screen.getByRole("status").textContent).toMatch(/^private\//));
  return (screen.getByRole("status").textContent ?? "").split(",");
};

it("sends pictures to the caller's place in the store, has them scanned, and counts them (UP029)", async () => {
  const { choose, scans, user } = open();
  await choose(picture("一,二.png"), picture("b.webp"));
  await waitFor(async () => expect(await addresses()).toHaveLength(2));
  const stored = await addresses();
  for (const address of stored)
    expect(address).toMatch(/^private\/u\/u1\/\d{8}\/[0-9a-f]{24}\/file\.(png|webp)$/);
  expect(scans().sort()).toEqual([...stored].sort());
  expect([...objects.objects.keys()].map((key) => `private/${key}`).sort()).toEqual([...stored].sort());
  // Full: no room for a third.
  expect(screen.queryByRole("button", { name: /上传图片/ })).toBeNull();
  await user.click(screen.getByRole("button", { name: "移除 b.webp" }));
  expect(await addresses()).toHaveLength(1);
  expect(screen.getByRole("button", { name: /上传图片/ })).toBeVisible();
});

it("tells what it does not take, and takes the rest (UP030, UP033, AM055, AM057)", async () => {
  const { user } = open();
  // The picker hides it; dropping it or showing all files does not.
  const input = screen.getByLabelText("截图", { selector: "input" });
  input.removeAttribute("accept");
  await user.upload(input, [new File(["<svg/>"], "a.svg")]);
  expect(await screen.findByText("图片格式不正确！仅支持jpg,jpeg,png,JPEG,BMP,GIF,WEBP文件")).toBeVisible();
  const large = picture("large.png");
  Object.defineProperty(large, "size", { value: 3 * 1_048_576 });
  await user.upload(input, [large]);
  expect(await screen.findByText("单个文件不能超过2M")).toBeVisible();
  await user.upload(input, [picture("1.JPG"), picture("2.PNG"), picture("3.webp")]);
  expect(await screen.findByText("最多上传2个文件")).toBeVisible();
  expect(await addresses()).toHaveLength(2);
});

it("a picture that the scan refuses does not count; its message stays, and it can be tried again", async () => {
  let refuse = true;
  const { choose, user } = open(RULES, () => (refuse ? { code: 60103, message: "图片含有违规内容" } : {}));
  await choose(picture("a.png"));
  const alert = await screen.findByText(/图片含有违规内容/, { selector: "[role=alert]" });
  expect(screen.getByRole("status").textContent).toBe("");
  refuse = false;
  await user.click(within(alert).getByRole("button", { name: "重试 a.png" }));
  expect(await addresses()).toHaveLength(1);
});

it("archives are sent without a scan; what the store refuses is told (UP036)", async () => {
  const { choose, scans } = open({ kind: "zip", limitMb: 20, most: 1 });
  objects.refuse = () => ({ status: 403, code: "QuotaExceeded" });
  await choose(new File(["zip"], "a.zip"));
  expect(await screen.findByText(/上传失败/)).toBeVisible();
  objects.refuse = () => undefined;
  await screen.getByRole("button", { name: "重试 a.zip" }).click();
  expect(await addresses()).toHaveLength(1);
  expect(scans()).toEqual([]);
});
