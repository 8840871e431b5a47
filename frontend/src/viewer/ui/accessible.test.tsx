import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { findings } from "@/test/axe";
import { renderPage } from "@/test/render";
import { CompareView } from "./CompareView";
import { ModelPreview } from "./ModelPreview";
import { ModelView } from "./ModelView";
import { StagedModel } from "./StagedModel";
import { TilesView } from "./TilesView";

// jsdom draws nothing: the test checks the page around the canvas, with the message that it cannot be drawn
const side = (label: string, bytes: number) => ({ url: "/m.glb", label, bytes, triangles: bytes });

it.each([
  ["三维查看：头盔", <ModelView key="v" url="/m.glb" posterUrl="/p.webp" name="头盔" />],
  ["三维预览：头盔", <ModelPreview key="v" url="/m.glb" name="头盔" />],
  [
    "三维预览：闹钟",
    <StagedModel key="v" url="/m.glb" name="闹钟" staging={{ ground: { color: "#ffffff" } }} />,
  ],
  ["三维瓦片查看：街区", <TilesView key="v" url="/t.3tz" name="街区" />],
  [
    "轻量化前后对比",
    <CompareView key="v" before={side("原始模型", 3_300_000)} after={side("轻量后", 434_000)} />,
  ],
])("%s can be reached by keyboard, tells its keys, and axe finds nothing", async (name, view) => {
  const { user } = renderPage(view);
  const stage = await screen.findByRole("application", { name });
  await screen.findByRole("alert");
  expect(stage).toHaveAccessibleDescription(/方向键旋转/);
  await user.tab();
  expect(stage).toHaveFocus();
  expect(await findings()).toEqual([]);
});
