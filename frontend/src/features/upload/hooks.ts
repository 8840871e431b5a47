import { useSyncExternalStore } from "react";
import {
  useGetObjectModelFileUploadSettingsQuery,
  useGetSceneModelFileUploadSettingsQuery,
} from "@/calls/personal";
import { useGetFileMaxSizeQuery } from "@/calls/process";
import { useSession } from "@/session";
import type { LimitContext, ModelType } from "@/transfer/rules";
import { FILE_SOURCE, type FlowState, flows, modelTypeCode, type UploadFlow } from "./flow";

const nothing = () => () => undefined;

export function useFlow(flow: UploadFlow | undefined): FlowState | undefined {
  return useSyncExternalStore(flow?.subscribe ?? nothing, flow?.snapshot ?? none);
}

const none = () => undefined;

export function useFlows(): readonly UploadFlow[] {
  return useSyncExternalStore(flows.subscribe, flows.snapshot);
}

export interface UploadLimits {
  context: LimitContext;
  loading: boolean;
  failed: boolean;
  retry: () => void;
}

/** The server's formats and size limits for one kind of model. */
export function useUploadLimits(modelType: ModelType): UploadLimits {
  const { signedIn } = useSession();
  const skipObject = !signedIn || modelType !== "object";
  const skipScene = !signedIn || modelType !== "scene";
  const objects = useGetObjectModelFileUploadSettingsQuery({ fileSource: FILE_SOURCE }, { skip: skipObject });
  const scenes = useGetSceneModelFileUploadSettingsQuery({ fileSource: FILE_SOURCE }, { skip: skipScene });
  const sizes = useGetFileMaxSizeQuery(
    { modelType: modelTypeCode[modelType], fileSource: FILE_SOURCE },
    { skip: !signedIn },
  );
  const settings = modelType === "object" ? objects : scenes;
  return {
    context: { settings: settings.data ?? [], userLimitMb: sizes.data?.maxSize },
    loading: settings.isLoading || sizes.isLoading,
    failed: settings.isError || sizes.isError,
    retry: () => {
      void settings.refetch();
      void sizes.refetch();
    },
  };
}
