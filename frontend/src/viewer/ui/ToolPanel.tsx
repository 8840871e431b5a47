import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import FormControlLabel from "@mui/material/FormControlLabel";
import Slider from "@mui/material/Slider";
import Switch from "@mui/material/Switch";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import type { ReactNode } from "react";
import { formatLength } from "../engine/format";
import type { Viewer } from "../engine/Viewer";
import type { Axis } from "../tools/section";
import { backdropLabels, studioLabels } from "./labels";
import { useStore } from "./useViewer";

/** Settings of the active tools, stacked beside the rail. */
export function ToolPanels({ viewer, lightOpen }: { viewer: Viewer; lightOpen: boolean }) {
  const section = useStore(viewer.section.state);
  const explode = useStore(viewer.explode.state);
  const measure = useStore(viewer.measure.state);
  const inspect = useStore(viewer.inspect.state);
  return (
    <Box
      sx={{
        position: "absolute",
        zIndex: 3,
        left: 72,
        top: 12,
        width: 248,
        maxHeight: "calc(100% - 24px)",
        // the invisible handles of sliders are wider than the panel at their ends
        overflow: "hidden auto",
        display: "flex",
        flexDirection: "column",
        gap: 1,
        pointerEvents: "none",
        "& > *": { pointerEvents: "auto" },
        "@container stage (max-width: 620px)": { left: 8, right: 8, top: 8, width: "auto", maxHeight: "45%" },
        "@container stage (max-height: 600px) and (min-width: 621px)": { left: 116 },
      }}
    >
      {inspect.active && <InspectPanel viewer={viewer} />}
      {(measure.active || measure.lengths.length > 0) && <MeasurePanel viewer={viewer} />}
      {section.on && <SectionPanel viewer={viewer} />}
      {explode.open && (
        <Card title="爆炸图">
          <Range
            label="展开"
            value={explode.amount}
            max={1}
            step={0.01}
            format={(v) => `${Math.round(v * 100)}%`}
            onChange={(v) => viewer.explode.set(v)}
          />
          <Note>{`${explode.parts} 个部件`}</Note>
        </Card>
      )}
      {lightOpen && <LightPanel viewer={viewer} />}
    </Box>
  );
}

function InspectPanel({ viewer }: { viewer: Viewer }) {
  const { part, preparing, hidden, isolated } = useStore(viewer.inspect.state);
  return (
    <Card title="部件">
      {part ? (
        <>
          <Box sx={{ fontWeight: 500, overflowWrap: "anywhere" }}>{part.name}</Box>
          <Facts
            rows={[
              ["三角面", part.triangles.toLocaleString("zh-CN")],
              ["顶点", part.vertices.toLocaleString("zh-CN")],
              ["材质", part.materials.join("、")],
              ["贴图", `${part.textures} 张`],
              ["尺寸", part.size.map(formatLength).join(" × ")],
            ]}
          />
          <Box sx={{ display: "flex", gap: 1, mt: 1 }}>
            <Button size="small" onClick={() => viewer.inspect.focus()}>
              对准
            </Button>
            <Button size="small" onClick={() => viewer.inspect.hide()}>
              隐藏
            </Button>
            <Button size="small" onClick={() => viewer.inspect.isolate()}>
              单独看
            </Button>
          </Box>
        </>
      ) : (
        <Note>{preparing ? "正在建立索引，仍可点选" : "点选模型上的部件"}</Note>
      )}
      {hidden > 0 && (
        <Button size="small" fullWidth sx={{ mt: 1 }} onClick={() => viewer.inspect.showAll()}>
          {isolated ? "显示全部部件" : `显示隐藏的 ${hidden} 个部件`}
        </Button>
      )}
    </Card>
  );
}

function MeasurePanel({ viewer }: { viewer: Viewer }) {
  const { active, pending, preparing, lengths } = useStore(viewer.measure.state);
  return (
    <Card title="测量距离">
      {active && (
        <Note>
          {preparing ? "正在建立索引，仍可点选" : pending ? "点选终点，Esc 取消" : "在模型表面点选起点"}
        </Note>
      )}
      {lengths.length > 0 && (
        <>
          <Facts rows={lengths.map((length, i) => [`第 ${i + 1} 段`, formatLength(length)])} />
          <Button size="small" fullWidth sx={{ mt: 1 }} onClick={() => viewer.measure.clear()}>
            清除测量
          </Button>
        </>
      )}
    </Card>
  );
}

function SectionPanel({ viewer }: { viewer: Viewer }) {
  const { axis, at, flip } = useStore(viewer.section.state);
  return (
    <Card title="剖切">
      <ToggleButtonGroup
        color="primary"
        exclusive
        fullWidth
        size="small"
        aria-label="剖切方向"
        value={axis}
        onChange={(_, value: Axis | null) => value && viewer.section.set({ axis: value })}
      >
        <ToggleButton value="x">X</ToggleButton>
        <ToggleButton value="y">Y</ToggleButton>
        <ToggleButton value="z">Z</ToggleButton>
      </ToggleButtonGroup>
      <Range
        label="位置"
        value={at}
        max={1}
        step={0.002}
        format={(v) => `${Math.round(v * 100)}%`}
        onChange={(v) => viewer.section.set({ at: v })}
      />
      <Check label="翻转方向" checked={flip} onChange={(v) => viewer.section.set({ flip: v })} />
    </Card>
  );
}

function LightPanel({ viewer }: { viewer: Viewer }) {
  const light = useStore(viewer.environment.state);
  const set = viewer.environment.set.bind(viewer.environment);
  return (
    <Card title="光照与背景">
      <Choice
        label="光照"
        value={light.preset}
        options={studioLabels}
        onChange={(preset) => set({ preset })}
      />
      <Choice
        label="背景"
        value={light.backdrop}
        options={backdropLabels}
        onChange={(backdrop) => set({ backdrop })}
      />
      <Choice
        label="色调"
        value={light.toneMap}
        options={{ neutral: "中性", aces: "电影" }}
        onChange={(toneMap) => set({ toneMap })}
      />
      <Range
        label="曝光"
        value={light.exposure}
        min={0.3}
        max={2.5}
        step={0.05}
        format={(v) => v.toFixed(2)}
        onChange={(exposure) => set({ exposure })}
      />
      <Range
        label="光的方向"
        value={light.turn}
        max={360}
        step={1}
        format={(v) => `${v}°`}
        onChange={(turn) => set({ turn })}
      />
      <Check label="地面阴影" checked={light.shadow} onChange={(shadow) => set({ shadow })} />
    </Card>
  );
}

export function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box
      component="section"
      aria-label={title}
      sx={{
        p: 1.5,
        borderRadius: 2,
        bgcolor: "rgba(19,26,46,.92)",
        border: 1,
        borderColor: "divider",
        fontSize: 13,
      }}
    >
      <Box component="h3" sx={{ m: 0, mb: 1, fontSize: 12, fontWeight: 500, color: "text.secondary" }}>
        {title}
      </Box>
      {children}
    </Box>
  );
}

export function Facts({ rows }: { rows: readonly (readonly [string, string])[] }) {
  return (
    <Box
      component="dl"
      sx={{ m: 0, mt: 0.5, display: "grid", gridTemplateColumns: "auto 1fr", gap: "4px 12px", fontSize: 12 }}
    >
      {rows.map(([name, value]) => (
        <Box key={name} sx={{ display: "contents" }}>
          <Box component="dt" sx={{ color: "text.secondary" }}>
            {name}
          </Box>
          <Box
            component="dd"
            sx={{ m: 0, textAlign: "right", fontVariantNumeric: "tabular-nums", overflowWrap: "anywhere" }}
          >
            {value}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

function Note({ children }: { children: ReactNode }) {
  return <Box sx={{ fontSize: 12, color: "text.secondary" }}>{children}</Box>;
}

function Range({
  label,
  value,
  min = 0,
  max,
  step,
  format,
  onChange,
}: {
  label: string;
  value: number;
  min?: number;
  max: number;
  step: number;
  format: (value: number) => string;
  onChange: (value: number) => void;
}) {
  return (
    <Box sx={{ mt: 1 }}>
      <Box sx={{ display: "flex", justifyContent: "space-between", fontSize: 12, color: "text.secondary" }}>
        <span>{label}</span>
        <Box component="span" sx={{ fontVariantNumeric: "tabular-nums", color: "text.primary" }}>
          {format(value)}
        </Box>
      </Box>
      <Slider
        aria-label={label}
        size="small"
        min={min}
        max={max}
        step={step}
        value={value}
        getAriaValueText={format}
        onChange={(_, v) => onChange(v as number)}
        sx={{ py: 1, mx: "6px", width: "calc(100% - 12px)" }}
      />
    </Box>
  );
}

function Check({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: (value: boolean) => void;
}) {
  return (
    <FormControlLabel
      sx={{ m: 0, mt: 0.5, width: "100%", justifyContent: "space-between" }}
      labelPlacement="start"
      slotProps={{ typography: { sx: { fontSize: 12, color: "text.secondary" } } }}
      label={label}
      control={<Switch size="small" checked={checked} onChange={(_, value) => onChange(value)} />}
    />
  );
}

function Choice<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: T;
  options: Record<T, string>;
  onChange: (value: T) => void;
}) {
  return (
    <Box sx={{ mb: 1 }}>
      <Box sx={{ fontSize: 12, color: "text.secondary", mb: 0.5 }}>{label}</Box>
      <ToggleButtonGroup
        color="primary"
        exclusive
        fullWidth
        size="small"
        aria-label={label}
        value={value}
        onChange={(_, chosen: T | null) => chosen && onChange(chosen)}
      >
        {(Object.keys(options) as T[]).map((key) => (
          <ToggleButton key={key} value={key} sx={{ py: 0.25, fontSize: 12 }}>
            {options[key]}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </Box>
  );
}
