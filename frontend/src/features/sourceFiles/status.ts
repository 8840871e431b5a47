import type { ProcessServiceResult } from "@/calls/process";
import type { StatusTone } from "@/ui/StatusTag";

export const fileStatuses: Record<string, { text: string; tone: StatusTone }> = {
  checking: { text: "体检中", tone: "running" },
  ready: { text: "可用", tone: "success" },
  failed: { text: "体检未通过", tone: "danger" },
};

interface FileState {
  text: string;
  tone: StatusTone;
  /** Explanation, if the text alone is not clear. */
  note?: string;
}

/** Where published files wait for their details and the review. */
export const LISTING_PATH = "/publishCenter/toBeReleased";

/** A file's state as shown everywhere. */
export function fileStatus({ status, released }: { status: string; released: boolean }): FileState {
  if (status === "ready" && released)
    return { text: "已发布", tone: "success", note: "已进入发布中心，仅自己可见，通过审核后在商城上架" };
  return fileStatuses[status] ?? { text: status || "未知", tone: "neutral" };
}

type LightResult = Pick<ProcessServiceResult, "fileId" | "fileSize" | "serviceType" | "status">;

/** Size of each file's smallest finished lightweighting result. */
export function lightWeights(results: readonly LightResult[]): ReadonlyMap<string, number> {
  const lightest = new Map<string, number>();
  for (const { fileId, fileSize, serviceType, status } of results) {
    if (serviceType !== "lightweight" || status !== "done" || !(fileSize > 0)) continue;
    lightest.set(fileId, Math.min(fileSize, lightest.get(fileId) ?? fileSize));
  }
  return lightest;
}
