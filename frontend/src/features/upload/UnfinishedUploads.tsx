import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import { useEffect, useRef, useState } from "react";
import { useSession } from "@/session";
import type { AppStore } from "@/store";
import { useAppStore } from "@/store/hooks";
import { fingerprint, sameFile } from "@/transfer/fingerprint";
import { dropHandle, fileFromHandle, hasHandle } from "@/transfer/handles";
import type { UploadRecord } from "@/transfer/records";
import { messages } from "@/transfer/rules";
import { formatBytes } from "@/ui/bytes";
import { toast } from "@/ui/toast";
import { flows, type Place, type UploadFlow } from "./flow";
import { useFlow, useFlows } from "./hooks";
import { uploadDeps } from "./session";
import { uploadTexts } from "./texts";

interface Left {
  records: readonly UploadRecord[];
  /** resumes that record with its file */
  resume: (record: UploadRecord, file: File) => UploadFlow;
  drop: (record: UploadRecord) => Promise<void>;
}

/** Unfinished uploads of earlier visits that are not running now, latest first. */
export function useLeftUploads(): Left {
  const { loginId } = useSession();
  const store = useAppStore();
  const running = useFlows();
  const [records, setRecords] = useState<UploadRecord[]>(() => stored(store, loginId));
  // biome-ignore lint/correctness/useExhaustiveDependencies: an upload that starts or ends changes the records
  useEffect(() => setRecords(stored(store, loginId)), [store, loginId, running]);
  const busy = new Set(
    running.map((flow) => `${flow.snapshot().upload.fileName}|${flow.snapshot().upload.size}`),
  );
  return {
    records: records.filter((record) => !busy.has(`${record.file.name}|${record.file.size}`)),
    resume: (record, file) => flows.begin(store, loginId, file, record.modelType, placeOf(record)),
    drop: async (record) => {
      const deps = uploadDeps(store, loginId);
      deps.records.remove(record.id);
      setRecords(deps.records.list());
      void dropHandle(record.id);
      try {
        await deps.store.abort(record.key, record.uploadId);
      } catch {
        // the store collects it later
      }
    },
  };
}

function stored(store: AppStore, loginId: string): UploadRecord[] {
  return loginId ? uploadDeps(store, loginId).records.list() : [];
}

export const placeOf = (record: UploadRecord): Place => (record.origin === "1" ? "publish" : "workbench");

/** Running uploads, and unfinished ones of earlier visits; nothing if there are none. */
export function UnfinishedUploads({ onOpen }: { onOpen: (flow: UploadFlow) => void }) {
  const running = useFlows();
  const left = useLeftUploads();
  if (running.length === 0 && left.records.length === 0) return null;
  return (
    <Box
      component="section"
      aria-label="未完成的上传"
      sx={{ mb: 3, border: 1, borderColor: "divider", borderRadius: 2, bgcolor: "background.paper" }}
    >
      <Box
        component="h2"
        sx={{ m: 0, px: 2, py: 1.25, fontSize: 14, fontWeight: 600, borderBottom: 1, borderColor: "divider" }}
      >
        未完成的上传
      </Box>
      {running.map((flow) => (
        <RunningRow key={flow.id} flow={flow} onOpen={() => onOpen(flow)} />
      ))}
      {left.records.map((record) => (
        <LeftRow
          key={record.id}
          record={record}
          onDrop={() => void left.drop(record)}
          onFile={(file) => onOpen(left.resume(record, file))}
        />
      ))}
    </Box>
  );
}

/** First step of the wizard after a reload: offers interrupted uploads before a new one. */
export function ResumeStep({
  left,
  place,
  onFlow,
  onOther,
}: {
  left: Left;
  place: Place;
  onFlow: (flow: UploadFlow) => void;
  onOther: () => void;
}) {
  return (
    <Box component="section" aria-label="未完成的上传">
      <Box sx={{ fontWeight: 500 }}>上次的上传没有完成</Box>
      <Box sx={{ mt: 0.5, mb: 2, fontSize: 13, color: "text.secondary" }}>
        选择同一个文件即可继续，已经上传的部分不会重传。
      </Box>
      <Box sx={{ border: 1, borderColor: "divider", borderRadius: 2 }}>
        {left.records
          .filter((record) => placeOf(record) === place)
          .map((record) => (
            <LeftRow
              key={record.id}
              record={record}
              onDrop={() => void left.drop(record)}
              onFile={(file) => onFlow(left.resume(record, file))}
            />
          ))}
      </Box>
      <Button size="small" sx={{ mt: 2 }} onClick={onOther}>
        上传其他文件
      </Button>
    </Box>
  );
}

const row = { display: "flex", alignItems: "center", gap: 2, px: 2, py: 1.25, flexWrap: "wrap" } as const;

function RunningRow({ flow, onOpen }: { flow: UploadFlow; onOpen: () => void }) {
  const state = useFlow(flow);
  if (!state) return null;
  const { upload } = state;
  return (
    <Box sx={row}>
      <Box sx={{ flex: "1 1 200px", minWidth: 0, overflowWrap: "anywhere" }}>{upload.fileName}</Box>
      <LinearProgress
        variant="determinate"
        aria-label={`${upload.fileName} 上传进度`}
        value={(upload.sentBytes / Math.max(1, upload.size)) * 100}
        sx={{ flex: "1 1 160px" }}
      />
      <Box sx={{ fontSize: 12, color: "text.secondary", fontVariantNumeric: "tabular-nums" }}>
        {upload.offline
          ? uploadTexts.offline
          : `${formatBytes(upload.sentBytes)} / ${formatBytes(upload.size)}`}
      </Box>
      <Button size="small" onClick={onOpen}>
        查看
      </Button>
    </Box>
  );
}

function LeftRow({
  record,
  onFile,
  onDrop,
}: {
  record: UploadRecord;
  onFile: (file: File) => void;
  onDrop: () => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [known, setKnown] = useState(false);
  useEffect(() => {
    let gone = false;
    void hasHandle(record.id).then((yes) => !gone && setKnown(yes));
    return () => {
      gone = true;
    };
  }, [record.id]);

  const check = async (file: File | undefined) => {
    if (!file) return;
    try {
      if (sameFile(await fingerprint(file), record.file)) onFile(file);
      else toast.warning("这不是上次的文件，请选择同一个文件续传");
    } catch {
      toast.error(messages.badFile);
    }
  };
  const goOn = async () => {
    const file = known ? await fileFromHandle(record.id) : undefined;
    if (file) await check(file);
    else input.current?.click();
  };
  const percent = Math.floor((record.confirmed / record.file.size) * 100);
  return (
    <Box sx={row}>
      <Box sx={{ flex: "1 1 200px", minWidth: 0, overflowWrap: "anywhere" }}>{record.file.name}</Box>
      <Box sx={{ fontSize: 12, color: "text.secondary", fontVariantNumeric: "tabular-nums" }}>
        {`已上传 ${percent}%，共 ${formatBytes(record.file.size)}`}
      </Box>
      <Button size="small" variant="outlined" onClick={() => void goOn()}>
        {known ? "继续上传" : "选择文件续传"}
      </Button>
      <Button size="small" color="inherit" onClick={onDrop}>
        放弃
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={`选择 ${record.file.name} 续传`}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = "";
          void check(file);
        }}
      />
    </Box>
  );
}
