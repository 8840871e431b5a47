import { apiErrorOf, codeOf, QUOTA } from "@/api";
import { processEndpoints } from "@/calls/process";
import type { AppStore } from "@/store";
import type { FileHandle } from "@/transfer/handles";
import { extensionOf, type ModelType, messages } from "@/transfer/rules";
import { type UploadDeps, type UploadState, UploadTask } from "@/transfer/task";
import { uploadDeps } from "./session";

export type Place = "workbench" | "publish";

/** `fileSource` of every browser upload. */
export const FILE_SOURCE = "web";
/** The store's error code when the user's storage is full. */
const QUOTA_EXCEEDED = "QuotaExceeded";
/** `modelType` on the wire. */
export const modelTypeCode: Record<ModelType, number> = { object: 1, scene: 2 };

export interface FlowState {
  id: string;
  modelType: ModelType;
  place: Place;
  upload: UploadState;
  /** the object is stored and the check is being requested */
  submitting: boolean;
  /** set once the check has started */
  fileId: string | undefined;
  /** error after the upload itself */
  submitError: string | undefined;
  /** the error is a limit of the user's grade, which a higher grade may lift */
  limited: boolean;
}

/** One file from the drop zone to a running check. Lives outside the components, so that closing the dialog stops nothing. */
export class UploadFlow {
  readonly id: string;
  private state: FlowState;
  private readonly task: UploadTask;
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly file: File,
    private readonly modelType: ModelType,
    private readonly place: Place,
    private readonly userId: string,
    private readonly store: AppStore,
    deps: UploadDeps,
    handle?: FileHandle,
  ) {
    this.id = `${Date.now()}-${Math.random().toString(36).slice(2)}`;
    const origin = place === "publish" ? "1" : "0";
    this.task = new UploadTask(file, { userId, modelType, fileSource: FILE_SOURCE, origin }, deps, handle);
    this.state = {
      id: this.id,
      modelType,
      place,
      upload: this.task.snapshot(),
      submitting: false,
      fileId: undefined,
      submitError: undefined,
      limited: false,
    };
    this.task.subscribe(() => {
      const upload = this.task.snapshot();
      this.set(upload.refusal === QUOTA_EXCEEDED ? { upload, limited: true } : { upload });
    });
  }

  snapshot = (): FlowState => this.state;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Starts, resumes after a pause, or retries after a failure. */
  async start(): Promise<void> {
    if (this.state.submitting || this.state.fileId) return;
    this.set({ submitError: undefined, limited: false });
    if (this.state.upload.phase !== "complete") await this.task.start();
    if (this.task.snapshot().phase === "complete") await this.submit();
  }

  pause(): void {
    this.task.pause();
  }

  cancel(): Promise<void> {
    return this.task.cancel();
  }

  private async submit(): Promise<void> {
    if (this.state.submitting || this.state.fileId) return;
    this.set({ submitting: true });
    const { bucket, key, size, sha256 } = await this.task.result;
    try {
      const fileId = await this.store
        .dispatch(
          processEndpoints.modelChecking.initiate(
            {
              userId: this.userId,
              fileName: this.file.name,
              fileSize: size,
              fileUrl: `${bucket}/${key}`,
              format: extensionOf(this.file.name),
              bucketName: bucket,
              fileSource: FILE_SOURCE,
              modelType: modelTypeCode[this.modelType],
              origin: this.place === "publish" ? 1 : 0,
              sha256,
            },
            { track: false },
          ),
        )
        .unwrap();
      this.set({ submitting: false, fileId });
    } catch (error) {
      this.set({ submitting: false, submitError: checkMessage(error), limited: codeOf(error) === QUOTA });
      if (apiErrorOf(error)?.kind === "network")
        window.addEventListener("online", () => void this.start(), { once: true });
    }
  }

  private set(change: Partial<FlowState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }
}

/** The server's message if it answered; else that it is unreachable. */
export function checkMessage(error: unknown): string {
  const known = apiErrorOf(error);
  if (known?.kind === "business" && known.message) return known.message;
  if (known?.kind === "http" && known.status < 500 && known.message) return known.message;
  return messages.checkUnreachable;
}

/** Messages for refusals of the store with a known code. */
const refusals: Partial<Record<string, string>> = {
  EntityTooLarge: "上传失败：文件超过了大小限制",
  [QUOTA_EXCEEDED]: "上传失败：存储空间不足，请先删除不用的文件",
  TooManyObjects: "上传失败：还没有体检的文件太多，请先完成已上传文件的体检，或一天后再试",
  InsufficientStorage: "上传失败：服务器磁盘已满，请稍后再试",
};

/** The store refused for a reason that another program would not change. */
export function isRefusal(upload: UploadState): boolean {
  return upload.refusal !== undefined && upload.refusal in refusals;
}

/** Message for a failed upload. */
export function uploadMessage(upload: UploadState): string {
  if (upload.fault === "params") return messages.params;
  if (upload.fault === "file") return messages.badFile;
  return (upload.refusal && refusals[upload.refusal]) || messages.failed;
}

/** All uploads since the page was loaded. */
class Flows {
  private list: readonly UploadFlow[] = [];
  private readonly listeners = new Set<() => void>();

  snapshot = (): readonly UploadFlow[] => this.list;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  begin(
    store: AppStore,
    userId: string,
    file: File,
    modelType: ModelType,
    place: Place,
    handle?: FileHandle,
  ): UploadFlow {
    const flow = new UploadFlow(file, modelType, place, userId, store, uploadDeps(store, userId), handle);
    this.change([flow, ...this.list]);
    flow.subscribe(() => {
      const { fileId: taken, upload } = flow.snapshot();
      if (taken || upload.phase === "cancelled") this.remove(flow);
    });
    window.addEventListener("beforeunload", this.warn);
    void flow.start();
    return flow;
  }

  remove(flow: UploadFlow): void {
    if (this.list.includes(flow)) this.change(this.list.filter((one) => one !== flow));
  }

  /** Leaving the page interrupts uploads; they can be resumed, but the user should know. */
  private warn = (event: BeforeUnloadEvent): void => {
    const busy = this.list.some((flow) => {
      const { upload, submitting } = flow.snapshot();
      return submitting || upload.phase === "uploading" || upload.phase === "finishing";
    });
    if (busy) event.preventDefault();
  };

  private change(list: readonly UploadFlow[]): void {
    this.list = list;
    for (const listener of this.listeners) listener();
  }
}

export const flows = new Flows();
