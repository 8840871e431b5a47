import Box from "@mui/material/Box";
import InputAdornment from "@mui/material/InputAdornment";
import MenuItem from "@mui/material/MenuItem";
import Slider from "@mui/material/Slider";
import TextField from "@mui/material/TextField";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import {
  explain,
  formatFacts,
  judgeForm,
  type PackPercent,
  packPercents,
  type ServiceForm,
  type SourceFacts,
  type TargetKind,
  type TextureFormat,
  targetNames,
  textureChoices,
  textureFacts,
  tileGeometryFacts,
  tileTextureFacts,
} from "./params";

/** Parameters of the chosen service, and their effect on the chosen model. */
export function ParamPlane({
  form,
  facts,
  onChange,
}: {
  form: ServiceForm;
  facts: SourceFacts | undefined;
  onChange: (change: Partial<ServiceForm>) => void;
}) {
  return (
    <Box>
      {form.type === "lightweight" && <LightenFields form={form} onChange={onChange} />}
      {form.type === "convert" && <FormatFields form={form} onChange={onChange} />}
      {form.type === "tile" && <TileFields form={form} onChange={onChange} />}
      {form.type === "amrt" && <PackFields form={form} onChange={onChange} />}
      {form.type === "offline" && <TextureField form={form} onChange={onChange} />}
      <Box
        role="status"
        sx={(theme) => ({
          mt: 3,
          p: 1.5,
          borderRadius: 2,
          bgcolor: theme.tokens.primarySoft,
          fontSize: 13,
          fontVariantNumeric: "tabular-nums",
        })}
      >
        {explain(form, facts)}
      </Box>
    </Box>
  );
}

/** The kind of target. */
export function ParamSelector({ kind, onKind }: { kind: TargetKind; onKind: (kind: TargetKind) => void }) {
  return <ChoiceField label="目标" choices={targetNames} value={kind} onValue={onKind} />;
}

const units: Record<TargetKind, { label: string; unit: string; field: keyof ServiceForm }> = {
  ratio: { label: "保留三角面", unit: "%", field: "ratioPercent" },
  triangles: { label: "最多三角面", unit: "面", field: "triangles" },
  sizeMb: { label: "文件不超过", unit: "MB", field: "sizeMb" },
  error: { label: "表面偏差不超过对角线的", unit: "%", field: "errorPercent" },
};

const presets = [
  { value: "50", label: "高保真" },
  { value: "20", label: "均衡" },
  { value: "5", label: "极轻" },
] as const;

function LightenFields({
  form,
  onChange,
}: {
  form: ServiceForm;
  onChange: (change: Partial<ServiceForm>) => void;
}) {
  const { label, unit, field } = units[form.kind];
  const text = String(form[field]);
  const problem = text.trim() === "" ? undefined : judgeForm(form);
  return (
    <>
      <ParamSelector kind={form.kind} onKind={(kind) => onChange({ kind })} />
      <Field label={label}>
        <Box sx={{ display: "flex", gap: 2, alignItems: "flex-start", flexWrap: "wrap" }}>
          <TextField
            size="small"
            value={text}
            error={problem !== undefined}
            helperText={problem}
            onChange={(event) => onChange({ [field]: event.target.value })}
            sx={{ width: 180 }}
            slotProps={{
              htmlInput: { inputMode: "decimal", "aria-label": label, maxLength: 12 },
              input: { endAdornment: <InputAdornment position="end">{unit}</InputAdornment> },
            }}
          />
          {form.kind === "ratio" && (
            <ToggleButtonGroup
              color="primary"
              exclusive
              size="small"
              aria-label="预设"
              value={form.ratioPercent}
              onChange={(_, value: string | null) => value && onChange({ ratioPercent: value })}
            >
              {presets.map((preset) => (
                <ToggleButton key={preset.value} value={preset.value} sx={{ py: 0.75 }}>
                  {preset.label}
                </ToggleButton>
              ))}
            </ToggleButtonGroup>
          )}
        </Box>
        {form.kind === "ratio" && (
          <Slider
            aria-label="保留比例"
            size="small"
            min={1}
            max={100}
            value={Math.max(1, Math.min(100, Number(form.ratioPercent) || 1))}
            onChange={(_, value) => onChange({ ratioPercent: String(value) })}
            sx={{ mt: 1, maxWidth: 420, display: "block" }}
          />
        )}
      </Field>
      <TextureField form={form} onChange={onChange} />
    </>
  );
}

function PackFields({
  form,
  onChange,
}: {
  form: ServiceForm;
  onChange: (change: Partial<ServiceForm>) => void;
}) {
  return (
    <>
      <Field label="保留三角面">
        <ToggleButtonGroup
          color="primary"
          exclusive
          size="small"
          fullWidth
          aria-label="保留三角面"
          value={form.packPercent}
          onChange={(_, value: PackPercent | null) => value && onChange({ packPercent: value })}
          sx={{ maxWidth: 360 }}
        >
          {packPercents.map((percent) => (
            <ToggleButton key={percent} value={percent}>
              {percent === "100" ? "全部" : `${percent}%`}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      </Field>
      <Field label="贴图格式">
        <ToggleButtonGroup
          color="primary"
          exclusive
          size="small"
          fullWidth
          aria-label="贴图格式"
          value={form.packTextures}
          onChange={(_, value: TextureFormat | null) => value && onChange({ packTextures: value })}
          sx={{ maxWidth: 360, "& button": { textTransform: "none" } }}
        >
          {(Object.keys(textureFacts) as TextureFormat[]).map((format) => (
            <ToggleButton key={format} value={format}>
              {textureFacts[format].title}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      </Field>
      <TextureField form={form} onChange={onChange} />
    </>
  );
}

function TextureField({
  form,
  onChange,
}: {
  form: ServiceForm;
  onChange: (change: Partial<ServiceForm>) => void;
}) {
  return (
    <Field label="贴图上限">
      <TextField
        select
        size="small"
        value={form.textureMax}
        onChange={(event) => onChange({ textureMax: Number(event.target.value) })}
        sx={{ width: 180 }}
        slotProps={{ htmlInput: { "aria-label": "贴图上限" } }}
      >
        {textureChoices.map((size) => (
          <MenuItem key={size} value={size}>
            {size === 0 ? "保持原样" : `${size} × ${size}`}
          </MenuItem>
        ))}
      </TextField>
    </Field>
  );
}

function TileFields({
  form,
  onChange,
}: {
  form: ServiceForm;
  onChange: (change: Partial<ServiceForm>) => void;
}) {
  return (
    <>
      <ChoiceField
        label="贴图格式"
        choices={tileTextureFacts}
        value={form.tileTextures}
        onValue={(tileTextures) => onChange({ tileTextures })}
      />
      <TextureField form={form} onChange={onChange} />
      <ChoiceField
        label="几何压缩"
        choices={tileGeometryFacts}
        value={form.tileGeometry}
        onValue={(tileGeometry) => onChange({ tileGeometry })}
      />
    </>
  );
}

function FormatFields({
  form,
  onChange,
}: {
  form: ServiceForm;
  onChange: (change: Partial<ServiceForm>) => void;
}) {
  return (
    <ChoiceField
      label="目标格式"
      choices={formatFacts}
      value={form.format}
      onValue={(format) => onChange({ format })}
    />
  );
}

const titleOf = (choice: string | { title: string }) => (typeof choice === "string" ? choice : choice.title);

/** One of a few choices, side by side. */
function ChoiceField<Name extends string>({
  label,
  choices,
  value,
  onValue,
}: {
  label: string;
  choices: Record<Name, string | { title: string }>;
  value: Name;
  onValue: (value: Name) => void;
}) {
  return (
    <Field label={label}>
      <ToggleButtonGroup
        color="primary"
        exclusive
        size="small"
        fullWidth
        aria-label={label}
        value={value}
        onChange={(_, chosen: Name | null) => chosen && onValue(chosen)}
        sx={{ maxWidth: 480 }}
      >
        {(Object.keys(choices) as Name[]).map((name) => (
          <ToggleButton key={name} value={name}>
            {titleOf(choices[name])}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </Field>
  );
}

function Field({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <Box
      sx={{
        display: "grid",
        gridTemplateColumns: { xs: "1fr", sm: "168px minmax(0, 1fr)" },
        gap: { xs: 0.75, sm: 2 },
        alignItems: "start",
        mt: 2.5,
      }}
    >
      <Box sx={{ color: "text.secondary", pt: { sm: 1 } }}>{label}</Box>
      <Box sx={{ minWidth: 0 }}>{children}</Box>
    </Box>
  );
}
