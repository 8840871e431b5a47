export type ViewerFault =
  | "unsupported"
  | "network"
  | "expired"
  | "broken"
  | "empty"
  | "lost"
  | "memory"
  | "version";

/** Messages when a model cannot be shown: what happened, and what to do next. */
export const viewerMessages: Record<ViewerFault, { title: string; hint: string }> = {
  unsupported: {
    title: "当前浏览器无法显示三维画面",
    hint: "请开启硬件加速，或换用新版 Chrome、Edge、Firefox 后再打开。",
  },
  network: { title: "模型没有下载完成", hint: "请检查网络后重试。" },
  expired: { title: "模型地址已过期", hint: "刷新页面即可取得新的地址。" },
  broken: { title: "模型文件无法解析", hint: "文件可能已损坏，请重新上传或重新生成后再查看。" },
  empty: { title: "模型里没有可显示的几何体", hint: "请在建模软件中检查是否导出了网格。" },
  lost: { title: "显卡中断了画面", hint: "通常是显存不足。关闭其他三维页面后重新载入。" },
  version: { title: "文件的版本比查看器新", hint: "请刷新页面后再打开；离线包请重新生成。" },
  memory: { title: "模型超出了浏览器的内存", hint: "请先做轻量化，再打开轻量后的模型。" },
};

export class ViewerError extends Error {
  constructor(
    readonly fault: ViewerFault,
    cause?: unknown,
  ) {
    super(fault, { cause });
    this.name = "ViewerError";
  }
}

export function faultOf(error: unknown): ViewerFault {
  if (error instanceof ViewerError) return error.fault;
  if (error instanceof RangeError) return "memory";
  return "broken";
}
