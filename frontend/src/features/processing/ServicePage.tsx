import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import ButtonBase from "@mui/material/ButtonBase";
import { useMemo, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { useFileDetailQuery, useSubmitMutation } from "@/calls/process";
import { WRITTEN_TITLES } from "@/facts/names";
import { readCheckReport } from "@/features/report";
import { shopMessages } from "@/messages/shop";
import { formatBytes } from "@/ui/bytes";
import { PageHeader } from "@/ui/PageHeader";
import { LinesSkeleton } from "@/ui/Skeletons";
import { Thumb } from "@/ui/Thumb";
import { toast } from "@/ui/toast";
import { ModelSelector } from "./ModelSelector";
import { ParamPlane } from "./ParamPlane";
import {
  judgeForm,
  paramsText,
  type ServiceForm,
  type ServiceType,
  type SourceFacts,
  serviceOf,
  startForm,
  startNames,
} from "./params";
import { ServiceDrawing } from "./ServiceDrawing";
import { resultPath } from "./status";

const services: readonly { type: ServiceType; title: string; line: string }[] = [
  { type: "lightweight", title: "单体轻量化", line: "减面、清理、压缩贴图，看不出差别地变轻" },
  { type: "convert", title: "格式转换", line: `在 ${WRITTEN_TITLES} 之间转换` },
  { type: "tile", title: "三维瓦片", line: "倾斜摄影或大模型切成多级瓦片，边看边载入" },
  { type: "amrt", title: "AMRT 文件", line: "一个小文件装下模型、贴图和动画，边下载边看" },
  { type: "offline", title: "离线包", line: "解开后双击就能看，不联网、不装软件，方便发给别人" },
];

/** `modelType` of oblique photography. */
const SCENE = 2;

/** Choose a model, a service and its parameters, then start. `piece`: the part in focus when the page opens. */
export function ServicePage({ fixed, piece }: { fixed?: ServiceType; piece?: "modelSelector" }) {
  const navigate = useNavigate();
  const [query, setQuery] = useSearchParams();
  const fileId = query.get("fileId") ?? "";
  const [form, setForm] = useState<ServiceForm>(startForm);
  const [selecting, setSelecting] = useState(piece === "modelSelector");
  const file = useFileDetailQuery({ fileId }, { skip: fileId === "" });
  // Oblique photography consists of many files: other services would take one of them for the whole.
  const scene = file.data?.modelType === SCENE;
  const asked = fixed ?? (scene ? "tile" : serviceOf(query.get("serviceName")));
  const current = { ...form, type: asked };
  const [submit, submitting] = useSubmitMutation();

  const facts = useMemo<SourceFacts | undefined>(() => {
    if (!file.data) return undefined;
    const size = readCheckReport(file.data.report)?.boundingBox.size ?? [0, 0, 0];
    return { triangles: file.data.triangles, bytes: file.data.fileSize, diagonal: Math.hypot(...size) };
  }, [file.data]);

  const set = (change: Record<string, string>) =>
    setQuery(
      (old) => {
        const next = new URLSearchParams(old);
        for (const [name, value] of Object.entries(change)) next.set(name, value);
        return next;
      },
      { replace: true },
    );

  const problem = judgeForm(current);
  const fits = !scene || current.type === "tile";
  const usable = file.data?.status === "ready" && fits;
  const run = async () => {
    if (problem) {
      toast.warning(problem);
      return;
    }
    try {
      const resultId = await submit({
        fileId,
        serviceType: current.type,
        params: paramsText(current),
      }).unwrap();
      navigate(resultPath(resultId));
    } catch {
      // already reported by the shared wrapper
    }
  };

  return (
    <>
      <PageHeader title="模型服务" note="选择模型和参数，提交后在后台处理" />
      <Box sx={{ display: "grid", gap: 3, gridTemplateColumns: { xs: "1fr", lg: "minmax(0, 1fr) 320px" } }}>
        <Box sx={{ display: "grid", gap: 2, alignContent: "start", minWidth: 0 }}>
          <Section title="1　模型">
            {fileId === "" ? (
              <Button variant="outlined" onClick={() => setSelecting(true)}>
                选择模型
              </Button>
            ) : file.isLoading ? (
              <LinesSkeleton lines={2} />
            ) : file.isError || !file.data ? (
              <Box sx={{ display: "flex", alignItems: "center", gap: 2, flexWrap: "wrap" }}>
                <Box sx={{ color: "text.secondary" }}>这个模型没有读取成功，可能已被删除。</Box>
                <Button size="small" onClick={() => void file.refetch()}>
                  重试
                </Button>
                <Button size="small" variant="outlined" onClick={() => setSelecting(true)}>
                  换一个
                </Button>
              </Box>
            ) : (
              <Box sx={{ display: "flex", alignItems: "center", gap: 2, flexWrap: "wrap" }}>
                <Thumb src={file.data.thumbUrl} size={64} />
                <Box sx={{ flex: "1 1 160px", minWidth: 0 }}>
                  <Box sx={{ fontWeight: 500, overflowWrap: "anywhere" }}>
                    {file.data.modelName || file.data.fileName}
                  </Box>
                  <Box sx={{ fontSize: 12, color: "text.secondary", fontVariantNumeric: "tabular-nums" }}>
                    {`${file.data.format.toUpperCase()}　${formatBytes(file.data.fileSize)}　${file.data.triangles.toLocaleString("zh-CN")} 面`}
                  </Box>
                  {!usable && (
                    <Box sx={{ fontSize: 12, color: "warning.main" }}>
                      {fits ? "模型还没有通过体检，暂时不能处理" : "倾斜摄影模型请使用三维瓦片服务"}
                    </Box>
                  )}
                </Box>
                <Button size="small" variant="outlined" onClick={() => setSelecting(true)}>
                  换一个
                </Button>
              </Box>
            )}
          </Section>
          {!fixed && (
            <Section title="2　服务">
              <Box
                role="radiogroup"
                aria-label="服务"
                sx={{
                  display: "grid",
                  gap: 1.5,
                  // two, then three: five cards fill both rows
                  gridTemplateColumns: { xs: "1fr", sm: "repeat(6, 1fr)" },
                  "& > *": { gridColumn: { sm: "span 2" } },
                  "& > :nth-of-type(-n + 2)": { gridColumn: { sm: "span 3" } },
                }}
              >
                {services
                  .filter(({ type }) => !scene || type === "tile")
                  .map((service) => (
                    <ServiceCard
                      key={service.type}
                      {...service}
                      on={current.type === service.type}
                      onPick={() => set({ serviceName: service.type })}
                    />
                  ))}
              </Box>
            </Section>
          )}
          <Section title={`${fixed ? "2" : "3"}　参数`}>
            <ParamPlane
              form={current}
              facts={facts}
              onChange={(change) => setForm((old) => ({ ...old, ...change }))}
            />
          </Section>
        </Box>
        <Box
          component="aside"
          aria-label="提交"
          sx={{ position: { lg: "sticky" }, top: 96, alignSelf: "start" }}
        >
          <Section title="提交">
            <Box sx={{ display: "flex", alignItems: "baseline", gap: 1 }}>
              <Box sx={(theme) => ({ fontSize: 24, fontWeight: 600, color: theme.tokens.accentText })}>
                {shopMessages.freeNow}
              </Box>
              <Box sx={{ fontSize: 12, color: "text.secondary" }}>{shopMessages.unlimitedNow}</Box>
            </Box>
            <Box component="ul" sx={{ m: 0, mt: 1.5, pl: 2.25, fontSize: 13, color: "text.secondary" }}>
              <li>在后台处理，可以离开本页</li>
              <li>原文件不会改动，结果另存</li>
              <li>同一模型、同样参数不会重复计算</li>
            </Box>
            <Button
              variant="contained"
              size="large"
              fullWidth
              sx={{ mt: 2 }}
              disabled={!usable || problem !== undefined}
              loading={submitting.isLoading}
              onClick={() => void run()}
            >
              {startNames[current.type]}
            </Button>
            {fileId === "" && <Box sx={{ mt: 1, fontSize: 12, color: "text.secondary" }}>请先选择模型</Box>}
          </Section>
        </Box>
      </Box>
      <ModelSelector
        open={selecting}
        onClose={() => setSelecting(false)}
        onPick={(picked) => {
          setSelecting(false);
          set({ fileId: picked.fileId });
        }}
      />
    </>
  );
}

function ServiceCard({
  type,
  title,
  line,
  on,
  onPick,
}: {
  type: ServiceType;
  title: string;
  line: string;
  on: boolean;
  onPick: () => void;
}) {
  return (
    <ButtonBase
      role="radio"
      aria-checked={on}
      disableRipple
      onClick={onPick}
      sx={(theme) => ({
        display: "flex",
        flexDirection: { xs: "row", sm: "column" },
        gap: { xs: 2, sm: 1.25 },
        alignItems: "flex-start",
        justifyContent: "flex-start",
        textAlign: "left",
        p: 2,
        color: on ? "primary.main" : "text.secondary",
        "--accent": theme.palette.secondary.main,
        borderRadius: 2,
        border: 1,
        borderColor: on ? "primary.main" : "divider",
        bgcolor: on ? theme.tokens.primarySoft : "transparent",
        "&:hover": { borderColor: "primary.main" },
      })}
    >
      <ServiceDrawing type={type} />
      <Box>
        <Box sx={{ fontWeight: 500, color: "text.primary" }}>{title}</Box>
        <Box sx={{ mt: 0.25, fontSize: 12, lineHeight: "18px", color: "text.secondary" }}>{line}</Box>
      </Box>
    </ButtonBase>
  );
}

export function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Box
      component="section"
      sx={{
        p: { xs: 2, sm: 3 },
        border: 1,
        borderColor: "divider",
        borderRadius: 2,
        bgcolor: "background.paper",
        minWidth: 0,
      }}
    >
      <Box component="h2" sx={{ m: 0, mb: 2, fontSize: 16, fontWeight: 600 }}>
        {title}
      </Box>
      {children}
    </Box>
  );
}
