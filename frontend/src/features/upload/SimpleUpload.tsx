import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { useSession } from "@/session";
import { useAppStore } from "@/store/hooks";
import { defaultModelName, extensionOf, MB } from "@/transfer/rules";
import { judgeSimpleModel, judgeTexture, SIMPLE_LIMIT_MB, simpleMessages } from "@/transfer/simpleRules";
import { storeZip } from "@/transfer/storeZip";
import { formatBytes } from "@/ui/bytes";
import Close from "@/ui/icons/Close";
import { PageHeader } from "@/ui/PageHeader";
import { toast } from "@/ui/toast";
import { DropZone } from "./DropZone";
import { flows, type UploadFlow } from "./flow";
import { useFlow } from "./hooks";
import { uploadTexts } from "./texts";
import { UploadProgress } from "./UploadProgress";

/** The exact message of the rules, and the file concerned if there are several. */
interface Problem {
  text: string;
  fileName?: string;
}

/** One model with its textures, without the wizard: choose, upload, done. The check runs in the background. */
export function SimpleUpload() {
  const store = useAppStore();
  const navigate = useNavigate();
  const { loginId } = useSession();
  const [model, setModel] = useState<File>();
  const [textures, setTextures] = useState<readonly File[]>([]);
  const [problem, setProblem] = useState<Problem>();
  const [packing, setPacking] = useState(false);
  const [flow, setFlow] = useState<UploadFlow>();
  const state = useFlow(flow);

  const submitted = state?.fileId;
  useEffect(() => {
    if (!submitted) return;
    toast.success(uploadTexts.background);
    navigate("/workbench/myUpload");
  }, [submitted, navigate]);

  const takeModel = async (file: File) => {
    const wrong = await judgeSimpleModel(file);
    setProblem(wrong ? { text: wrong } : undefined);
    if (wrong) toast.error(wrong);
    else setModel(file);
  };

  // an archive already holds its textures
  const packed = model !== undefined && ["zip", "rar"].includes(extensionOf(model.name));
  const total = (model?.size ?? 0) + textures.reduce((sum, file) => sum + file.size, 0);

  const send = async () => {
    if (!model) return;
    if (total > SIMPLE_LIMIT_MB * MB) {
      setProblem({ text: simpleMessages.tooLarge });
      toast.error(simpleMessages.tooLarge);
      return;
    }
    let file = model;
    if (!packed && textures.length > 0) {
      setPacking(true);
      try {
        const zip = await storeZip([model, ...textures].map((one) => ({ name: one.name, data: one })));
        file = new File([zip], `${defaultModelName(model.name)}.zip`, { type: "application/zip" });
      } catch {
        setProblem({ text: "文件无法读取，请重新选择" });
        return;
      } finally {
        setPacking(false);
      }
    }
    setFlow(flows.begin(store, loginId, file, "object", "workbench"));
  };

  return (
    <Box sx={{ maxWidth: 760 }}>
      <PageHeader
        title="简易上传"
        note={`一个模型和它的贴图，合计不超过 ${SIMPLE_LIMIT_MB} MB；上传后在后台体检`}
      />
      {flow && state ? (
        <UploadProgress
          flow={flow}
          state={state}
          onCancel={() => {
            void flow.cancel();
            setFlow(undefined);
          }}
        />
      ) : (
        <>
          {model ? (
            <Chosen file={model} onRemove={() => setModel(undefined)} />
          ) : (
            <DropZone
              label="把模型拖到这里，或点击选择"
              hint={simpleMessages.formats}
              onFile={(file) => void takeModel(file)}
            />
          )}
          {problem && (
            <Alert severity="error" sx={{ mt: 2 }}>
              <div>{problem.text}</div>
              {problem.fileName && (
                <Box sx={{ fontSize: 12, overflowWrap: "anywhere" }}>{problem.fileName}</Box>
              )}
            </Alert>
          )}
          {model && !packed && <Textures files={textures} onChange={setTextures} onProblem={setProblem} />}
          <Box sx={{ mt: 3, display: "flex", gap: 2, alignItems: "center" }}>
            <Button variant="contained" disabled={!model} loading={packing} onClick={() => void send()}>
              开始上传
            </Button>
            {model && (
              <Box sx={{ fontSize: 12, color: "text.secondary", fontVariantNumeric: "tabular-nums" }}>
                {`合计 ${formatBytes(total)}`}
              </Box>
            )}
          </Box>
        </>
      )}
    </Box>
  );
}

/** UploadChartlet: the textures of a model. */
export function Textures({
  files,
  onChange,
  onProblem,
}: {
  files: readonly File[];
  onChange: (files: readonly File[]) => void;
  onProblem: (problem: Problem | undefined) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const add = async (chosen: readonly File[]) => {
    const good: File[] = [];
    let wrong: Problem | undefined;
    for (const file of chosen) {
      const verdict = await judgeTexture(file);
      if (verdict) wrong ??= { text: verdict, fileName: file.name };
      else good.push(file);
    }
    onProblem(wrong);
    if (wrong) toast.error(wrong.text);
    const names = new Set(good.map((file) => file.name));
    onChange([...files.filter((file) => !names.has(file.name)), ...good]);
  };
  return (
    <Box component="section" aria-label="贴图" sx={{ mt: 3 }}>
      <Box sx={{ display: "flex", alignItems: "center", gap: 2, mb: 1 }}>
        <Box component="h2" sx={{ m: 0, fontSize: 14, fontWeight: 600 }}>
          贴图（可选）
        </Box>
        <Button size="small" variant="outlined" onClick={() => input.current?.click()}>
          添加贴图
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          multiple
          accept=".jpg,.jpeg,.png"
          aria-label="添加贴图"
          onChange={(event) => {
            const chosen = Array.from(event.target.files ?? []);
            event.target.value = "";
            void add(chosen);
          }}
        />
      </Box>
      <Box sx={{ fontSize: 12, color: "text.secondary", mb: 1 }}>
        jpg、png，不超过 2048×2048 像素，单张不超过 5 MB；文件名与模型中引用的一致
      </Box>
      {files.map((file) => (
        <Chosen key={file.name} file={file} onRemove={() => onChange(files.filter((one) => one !== file))} />
      ))}
    </Box>
  );
}

function Chosen({ file, onRemove }: { file: File; onRemove: () => void }) {
  return (
    <Box
      sx={{
        display: "flex",
        alignItems: "center",
        gap: 1.5,
        px: 1.5,
        py: 0.75,
        mb: 1,
        border: 1,
        borderColor: "divider",
        borderRadius: 1,
        bgcolor: "background.paper",
      }}
    >
      <Box sx={{ flex: 1, minWidth: 0, overflowWrap: "anywhere" }}>{file.name}</Box>
      <Box sx={{ fontSize: 12, color: "text.secondary", fontVariantNumeric: "tabular-nums" }}>
        {formatBytes(file.size)}
      </Box>
      <IconButton size="small" aria-label={`移除 ${file.name}`} onClick={onRemove}>
        <Close fontSize="small" />
      </IconButton>
    </Box>
  );
}
