import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import { useEffect, useState } from "react";
import { SCENE_SECONDS } from "@/facts/limits";
import { UpgradeButton } from "@/features/membership";
import { useSession } from "@/session";
import { useAppStore } from "@/store/hooks";
import type { FileHandle } from "@/transfer/handles";
import {
  acceptedExtensions,
  deniedMessage,
  judgeFile,
  type LimitContext,
  type ModelType,
  messages,
  sceneLimitMb,
} from "@/transfer/rules";
import { wayIn } from "@/transfer/wayIn";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { LinesSkeleton } from "@/ui/Skeletons";
import { toast } from "@/ui/toast";
import { ClientDialog } from "./ClientDialog";
import { DropZone } from "./DropZone";
import { FormatsDialog } from "./FormatsDialog";
import { flows, isRefusal, type Place, type UploadFlow, uploadMessage } from "./flow";
import { useFlow, useUploadLimits } from "./hooks";
import { placeOf, ResumeStep, useLeftUploads } from "./UnfinishedUploads";
import { UploadProgress } from "./UploadProgress";

function sceneHint(context: LimitContext): string {
  const formats = acceptedExtensions("scene", context.settings).map((format) => format.toUpperCase());
  return `支持 ${formats.join("、")}，不超过 ${sceneLimitMb(context) / 1024} GB；解压时限 ${SCENE_SECONDS / 3600} 小时`;
}

/** Step 1: kind of model, file, and upload. */
export function StepUpload({
  tab,
  place,
  flow,
  onTab,
  onFlow,
}: {
  tab: ModelType;
  place: Place;
  flow: UploadFlow | undefined;
  onTab: (tab: ModelType) => void;
  onFlow: (flow: UploadFlow | undefined) => void;
}) {
  const store = useAppStore();
  const { loginId } = useSession();
  const state = useFlow(flow);
  const limits = useUploadLimits(tab);
  const [refusal, setRefusal] = useState<{ words: string; byGrade?: boolean; hint?: string }>();
  const [formats, setFormats] = useState(false);
  const [client, setClient] = useState<string>();
  const [cancelling, setCancelling] = useState(false);
  const left = useLeftUploads();
  const [other, setOther] = useState(false);
  const resumable = !other && left.records.some((record) => placeOf(record) === place);

  const failed = state?.upload.phase === "failed" ? state.upload : undefined;
  useEffect(() => {
    if (!failed) return;
    toast.error(uploadMessage(failed));
    // the client would not help against a faulty file, bad parameters, or a refusal such as full storage
    if (failed.fault === "storage" && !isRefusal(failed))
      setClient(`${messages.failed}。网络不稳定或文件较大时，建议改用桌面客户端。`);
  }, [failed]);

  const take = (file: File, via: "picker" | "drop", handle?: FileHandle) => {
    setRefusal(undefined);
    const verdict = judgeFile(file, tab, limits.context);
    if (verdict.kind === "ok") {
      onFlow(flows.begin(store, loginId, file, tab, place, handle));
      return;
    }
    if (verdict.kind === "refused") {
      // a dropped file of a wrong type gets another message than a chosen one
      const denied = via === "drop" && verdict.message === messages.unsupported;
      const words = denied ? deniedMessage(tab) : verdict.message;
      const hint = verdict.message === messages.unsupported ? wayIn(file.name) : undefined;
      setRefusal({ words, byGrade: verdict.byGrade, hint });
      toast.error(words);
    } else setClient(verdict.message);
  };

  const cancel = async () => {
    if (!flow) return;
    await flow.cancel();
    flows.remove(flow);
    onFlow(undefined);
    setCancelling(false);
  };

  if (resumable && !flow)
    return (
      <ResumeStep
        left={left}
        place={place}
        onFlow={(begun) => {
          onTab(begun.snapshot().modelType);
          onFlow(begun);
        }}
        onOther={() => setOther(true)}
      />
    );

  return (
    <Box>
      <Tabs
        value={tab}
        aria-label="模型类型"
        onChange={(_, value: ModelType) => {
          setRefusal(undefined);
          onTab(value);
        }}
        sx={{ mb: 2, borderBottom: 1, borderColor: "divider" }}
      >
        <Tab value="object" label="单体模型" disabled={flow !== undefined && tab !== "object"} />
        {place !== "publish" && (
          <Tab value="scene" label="倾斜摄影模型" disabled={flow !== undefined && tab !== "scene"} />
        )}
      </Tabs>
      {flow && state ? (
        <UploadProgress flow={flow} state={state} onCancel={() => setCancelling(true)} />
      ) : limits.loading ? (
        <Box sx={{ minHeight: 264 }}>
          <LinesSkeleton lines={4} />
        </Box>
      ) : limits.failed ? (
        <Alert
          severity="error"
          action={
            <Button color="inherit" size="small" onClick={limits.retry}>
              重试
            </Button>
          }
        >
          上传设置没有读取成功，请检查网络后重试。
        </Alert>
      ) : limits.context.settings.length === 0 ? (
        <Alert severity="warning">{messages.noSettings}</Alert>
      ) : (
        <>
          <DropZone
            label="把文件拖到这里，或点击选择"
            hint={
              tab === "object"
                ? `支持 ${acceptedExtensions("object", limits.context.settings)
                    .map((f) => f.toUpperCase())
                    .join("、")}，单个文件不超过 ${objectLimit(limits.context)} MB`
                : sceneHint(limits.context)
            }
            onFile={take}
          />
          {refusal && (
            <Alert severity="error" sx={{ mt: 2 }} action={refusal.byGrade && <UpgradeButton />}>
              <div>{refusal.words}</div>
              {refusal.hint && <Box sx={{ mt: 0.5, fontSize: 13 }}>{refusal.hint}</Box>}
            </Alert>
          )}
        </>
      )}
      <Box sx={{ mt: 2, display: "flex", flexWrap: "wrap", gap: 2, fontSize: 12, color: "text.secondary" }}>
        <Link component="button" type="button" onClick={() => setFormats(true)} sx={{ fontSize: 12 }}>
          支持的格式
        </Link>
        <span>文件直接传入对象存储，断网或刷新后可续传</span>
      </Box>
      <FormatsDialog open={formats} onClose={() => setFormats(false)} />
      <ClientDialog message={client} onClose={() => setClient(undefined)} />
      <ConfirmDialog
        open={cancelling}
        title="取消上传？"
        danger
        confirmText="取消上传"
        cancelText="继续上传"
        onConfirm={cancel}
        onClose={() => setCancelling(false)}
      >
        已上传的部分会被删除，之后需要从头上传。
      </ConfirmDialog>
    </Box>
  );
}

function objectLimit(context: { settings: readonly { maxSize: number }[]; userLimitMb?: number }): number {
  return context.userLimitMb ?? Math.max(0, ...context.settings.map((s) => s.maxSize));
}
