import { act, render, screen, waitFor, within } from "@testing-library/react";
import { http, passthrough } from "msw";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Providers } from "@/app/Providers";
import { syncSession } from "@/session/actions";
import { writeLogin } from "@/session/cookies";
import { startStore } from "@/test/render";
import { answer, names, server } from "@/test/server";
import { startUser } from "@/test/user";
import { MB } from "@/transfer/rules";
import { letBlobsBeRead, MemoryStore } from "@/transfer/test/memoryStore";
import { binaryFbx, jpeg, png, sized } from "@/transfer/test/sampleFiles";
import { SimpleUpload } from "./SimpleUpload";
import { uploadAnswers } from "./test/uploadAnswers";

letBlobsBeRead();

let objects: MemoryStore;
beforeEach(async () => {
  objects = await MemoryStore.start();
});
afterEach(() => objects.stop());

function open() {
  const heard = answer(uploadAnswers(objects));
  server.use(http.all(`${objects.address}/*`, () => passthrough()));
  writeLogin("tok", "u1");
  const store = startStore();
  act(() => {
    store.dispatch(syncSession());
  });
  const router = createMemoryRouter(
    [
      { path: "/", element: <SimpleUpload /> },
      { path: "*", element: <p>别的页面</p> },
    ],
    { initialEntries: ["/"] },
  );
  render(
    <Providers store={store}>
      <RouterProvider router={router} />
    </Providers>,
  );
  const user = startUser({ applyAccept: false });
  return {
    heard,
    router,
    user,
    choose: async (file: File) => user.upload(await screen.findByLabelText("选择文件"), file),
    // the button beside it has the same name
    addTexture: async (...files: File[]) =>
      user.upload(await screen.findByLabelText("添加贴图", { selector: "input" }), files),
  };
}

const fbx = (version: number) => new File([binaryFbx(version)], "椅子.fbx");
const start = () => screen.getByRole("button", { name: "开始上传" });
/** The message appears twice: in the page, where it stays, and as a toast. */
const complaint = (words: string) => waitFor(() => expect(screen.getAllByText(words)).toHaveLength(2));

describe("simple upload: the model", () => {
  it("refuses an FBX of 2012 and takes one of 2013 (UP037)", async () => {
    const { choose } = open();
    await choose(fbx(7200));
    await complaint("FBX 版本过低（7.2），请用 2013 或更高版本重新导出");
    expect(start()).toBeDisabled();
    await choose(fbx(7300));
    expect(await screen.findByText("椅子.fbx")).toBeInTheDocument();
    expect(start()).toBeEnabled();
    // at most the toast of the complaint remains
    expect(screen.queryAllByText(/版本过低/).length).toBeLessThan(2);
  });

  it.each(["obj", "stl", "3ds", "zip", "rar"])("takes a file of type %s (UP038)", async (format) => {
    const { choose } = open();
    await choose(new File(["x"], `椅子.${format}`));
    expect(await screen.findByText(`椅子.${format}`)).toBeInTheDocument();
    expect(start()).toBeEnabled();
  });

  it("refuses another type (UP038)", async () => {
    const { choose } = open();
    await choose(new File(["x"], "椅子.ply"));
    await complaint("仅支持 FBX（2013 及以上版本）、OBJ、STL、3DS、ZIP、RAR 格式");
    expect(start()).toBeDisabled();
  });

  it("refuses a model above 100 MB (UP039)", async () => {
    const { choose } = open();
    await choose(sized("椅子.obj", 101 * MB));
    await complaint("文件大小不得超过100MB");
    expect(start()).toBeDisabled();
  });
});

describe("simple upload: the textures", () => {
  it("counts them into the 100 MB", async () => {
    const { heard, user, choose, addTexture } = open();
    await choose(sized("椅子.obj", 98 * MB));
    await addTexture(sized("木纹.png", 3 * MB, png(8, 8)));
    expect(await screen.findByText("木纹.png")).toBeInTheDocument();
    await user.click(start());
    await complaint("文件大小不得超过100MB");
    expect(names(heard)).not.toContain("getHuaweiParam");
  });

  // UP032, UP040, UP041, AM056
  it.each<[string, File, string]>([
    ["of another type", new File([png(8, 8)], "木纹.tga"), "贴图仅支持 jpg、png 格式"],
    ["2049 wide", new File([png(2049, 2048)], "木纹.png"), "贴图尺寸不得超过 2048×2048 像素"],
    ["2049 high", new File([jpeg(2048, 2049)], "木纹.jpg"), "贴图尺寸不得超过 2048×2048 像素"],
    ["of 6 MB", sized("木纹.png", 6 * MB, png(8, 8)), "单个文件不能超过5M"],
  ])("refuses one %s, in the exact words, and names it", async (_, file, words) => {
    const { choose, addTexture } = open();
    await choose(new File(["x"], "椅子.obj"));
    await addTexture(new File([jpeg(2048, 2048)], "布.jpg"), file);
    await complaint(words);
    const section = within(screen.getByRole("region", { name: "贴图" }));
    expect(section.getByText("布.jpg")).toBeInTheDocument();
    expect(section.queryByText(file.name)).not.toBeInTheDocument();
    expect(screen.getByText(file.name)).toBeInTheDocument();
  });
});

it("packs model and textures, sends them and goes to my uploads", async () => {
  const { heard, router, user, choose, addTexture } = open();
  await choose(new File(["o 椅子"], "椅子.obj"));
  await addTexture(new File([png(8, 8)], "木纹.png"));
  await screen.findByText("木纹.png");
  await user.click(start());
  await waitFor(() => expect(router.state.location.pathname).toBe("/workbench/myUpload"));
  expect(heard.find((call) => call.name === "model_checking")?.form).toMatchObject({
    userId: "u1",
    fileName: "椅子.zip",
    format: "zip",
    modelType: "1",
  });
  const [sent] = [...objects.objects.values()];
  expect(sent?.includes("木纹.png")).toBe(true);
});
