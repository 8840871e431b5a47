import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import FormControlLabel from "@mui/material/FormControlLabel";
import MenuItem from "@mui/material/MenuItem";
import Slider from "@mui/material/Slider";
import Switch from "@mui/material/Switch";
import TextField from "@mui/material/TextField";
import { useMemo, useRef, useState } from "react";
import type { WorksWorkModel } from "@/calls/works";
import { toast } from "@/ui/toast";
import { StagedModel, type StageHandle } from "@/viewer";
import { type EnvironmentName, readScene, type Scene, stagingOf } from "@/viewer/scene";
import { useKept } from "./useKept";

const LIGHTS: Readonly<Record<EnvironmentName, string>> = {
  studio: "摄影棚",
  daylight: "日光",
  sunset: "黄昏",
  night: "夜晚",
  neutral: "柔和",
};
/** Empty: the viewer's default dark ground. */
const GROUNDS = [
  { value: "", text: "深色（默认）" },
  { value: "#ffffff", text: "白色" },
  { value: "#eef1f4", text: "浅灰" },
  { value: "#f3ede4", text: "米色" },
  { value: "#dfe6ea", text: "浅蓝灰" },
  { value: "#2b2a28", text: "暖黑" },
  { value: "#05070d", text: "纯黑" },
] as const;

/** Initial presentation of the model: preview and settings in one place. */
export function StagePanel({
  model: given,
  name,
  scene: text,
  disabled,
  onChange,
}: {
  model: WorksWorkModel;
  name: string;
  scene: string;
  disabled: boolean;
  onChange: (scene: string) => void;
}) {
  const model = useKept(given) ?? given;
  const scene = useMemo(() => readScene(text), [text]);
  const staging = useMemo(() => stagingOf(scene), [scene]);
  const stage = useRef<StageHandle>(undefined);
  const [clips, setClips] = useState<readonly string[]>([]);
  const change = (next: Partial<Scene>) => onChange(JSON.stringify({ ...scene, ...next }));
  const { camera, environment, background, clip } = scene;
  const grounds: readonly { value: string; text: string }[] = GROUNDS;
  const choice = <T extends string>(
    label: string,
    value: T,
    options: Readonly<Record<T, string>>,
    onChoose: (value: T) => void,
  ) => (
    <TextField
      select
      size="small"
      label={label}
      value={value}
      disabled={disabled}
      onChange={(event) => onChoose(event.target.value as T)}
    >
      {(Object.keys(options) as T[]).map((key) => (
        <MenuItem key={key} value={key}>
          {options[key]}
        </MenuItem>
      ))}
    </TextField>
  );
  const range = (
    label: string,
    value: number,
    [min, max, step]: readonly [number, number, number],
    say: (value: number) => string,
    onMove: (value: number) => void,
  ) => (
    <Box>
      <Box sx={{ display: "flex", justifyContent: "space-between", fontSize: 13 }}>
        <span>{label}</span>
        <span className="tabular">{say(value)}</span>
      </Box>
      <Slider
        aria-label={label}
        size="small"
        min={min}
        max={max}
        step={step}
        value={value}
        disabled={disabled}
        getAriaValueText={say}
        onChange={(_, next) => onMove(next as number)}
        // the thumb extends beyond both ends
        sx={{ mx: "10px", width: "calc(100% - 20px)" }}
      />
    </Box>
  );
  const limits = camera?.limits ?? {};
  const limit = (next: object) => change({ camera: { ...camera, limits: { ...limits, ...next } } });
  return (
    <Box component="section" aria-label="布置" sx={{ display: "grid", gap: 2 }}>
      <Box sx={{ aspectRatio: { xs: "1", sm: "4 / 3" }, borderRadius: 2, overflow: "hidden" }}>
        <StagedModel
          url={model.modelUrl}
          proxyUrl={model.proxyUrl || undefined}
          posterUrl={model.posterUrl || undefined}
          name={name}
          staging={staging}
          onReady={(ready) => {
            stage.current = ready;
            setClips(ready.clips().filter(Boolean));
          }}
        />
      </Box>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1 }}>
        <Button
          variant="outlined"
          disabled={disabled}
          onClick={() => {
            const view = stage.current?.view();
            if (!view) {
              toast.warning("模型还没有载入，请稍候");
              return;
            }
            const start = { position: [...view.eye], target: [...view.target] };
            change({ camera: { ...camera, start } as Scene["camera"] });
            toast.success("已用作开始视角，保存后生效");
          }}
        >
          用当前视角开始
        </Button>
        {camera?.start && (
          <Button
            color="inherit"
            disabled={disabled}
            onClick={() => change({ camera: { ...camera, start: undefined } })}
          >
            恢复默认视角
          </Button>
        )}
      </Box>
      <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr" } }}>
        <TextField
          select
          size="small"
          label="背景"
          value={background?.color.toLowerCase() ?? ""}
          disabled={disabled}
          onChange={({ target: { value } }) => change({ background: value ? { color: value } : undefined })}
          slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
        >
          {grounds.map(({ value, text: word }) => (
            <MenuItem key={value} value={value}>
              {word}
            </MenuItem>
          ))}
          {background && grounds.every(({ value }) => value !== background.color.toLowerCase()) && (
            <MenuItem value={background.color.toLowerCase()}>{background.color}</MenuItem>
          )}
        </TextField>
        {choice("环境光", environment?.name ?? "studio", LIGHTS, (name) =>
          change({ environment: { ...environment, name } }),
        )}
        {range(
          "曝光",
          environment?.exposure ?? 1,
          [0.3, 2.5, 0.05],
          (value) => value.toFixed(2),
          (exposure) => change({ environment: { ...environment, exposure } }),
        )}
        {range(
          "光的方向",
          environment?.rotation ?? 0,
          [-180, 180, 5],
          (value) => `${value}°`,
          (rotation) => change({ environment: { ...environment, rotation } }),
        )}
        {range(
          "最低能看到",
          limits.lowest ?? -90,
          [-90, 80, 5],
          (value) => `${value}°`,
          (lowest) => limit({ lowest, highest: Math.max(lowest + 5, limits.highest ?? 90) }),
        )}
        {range(
          "最高能看到",
          limits.highest ?? 90,
          [-80, 90, 5],
          (value) => `${value}°`,
          (highest) => limit({ highest, lowest: Math.min(highest - 5, limits.lowest ?? -90) }),
        )}
      </Box>
      <FormControlLabel
        control={
          <Switch
            checked={camera?.autoRotate ?? false}
            disabled={disabled}
            onChange={(_, autoRotate) => change({ camera: { ...camera, autoRotate } })}
          />
        }
        label="打开后自动旋转，有人操作时停下"
      />
      {clips.length > 0 && (
        <TextField
          select
          size="small"
          label="打开时播放的动画"
          value={clip !== undefined && clips.includes(clip) ? clip : ""}
          disabled={disabled}
          onChange={({ target: { value } }) => change({ clip: value || undefined })}
          slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
          sx={{ maxWidth: 320 }}
        >
          <MenuItem value="">不自动播放</MenuItem>
          {[...new Set(clips)].map((one) => (
            <MenuItem key={one} value={one}>
              {one}
            </MenuItem>
          ))}
        </TextField>
      )}
    </Box>
  );
}
