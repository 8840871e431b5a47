import { el } from "@/lib/dom";
import { faultOf, viewerMessages } from "@/viewer/engine/errors";
import { takeModel } from "./model";
import { OfflineViewer } from "./OfflineViewer";
import { buildPage } from "./page";

/** The page is opened from the disk: everything it needs is inside it. */
async function start(stage: HTMLElement, note: HTMLElement): Promise<void> {
  const bytes = takeModel(document);
  const canvas = el("canvas", { "aria-hidden": "true" });
  stage.append(canvas);
  const viewer = new OfflineViewer(canvas);
  viewer.stage.onLost = () => tell(note, viewerMessages.lost);
  canvas.addEventListener("dblclick", () => viewer.stage.reset());
  buildPage(viewer, stage, bytes.length);
  await viewer.load(bytes);
  note.remove();
  document.documentElement.dataset.phase = "ready";
}

function tell(note: HTMLElement, { title, hint }: { title: string; hint: string }): void {
  note.replaceChildren(el("strong", {}, title), el("span", {}, hint));
  if (!note.isConnected) document.body.append(note);
  document.documentElement.dataset.phase = "failed";
}

const stage = document.getElementById("stage");
const note = document.getElementById("note");
if (stage && note) {
  // the page's first frame comes before the work on the model
  setTimeout(() => start(stage, note).catch((error: unknown) => tell(note, viewerMessages[faultOf(error)])));
}
