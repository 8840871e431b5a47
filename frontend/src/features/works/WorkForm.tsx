import Box from "@mui/material/Box";
import FormControlLabel from "@mui/material/FormControlLabel";
import MenuItem from "@mui/material/MenuItem";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import Switch from "@mui/material/Switch";
import TextField from "@mui/material/TextField";
import { useCaseIndustryQuery, useWorksLabelCateQuery } from "@/calls/works";
import { Labels } from "./Labels";
import { lengthOf, MOST, type Problems, type Values } from "./rules";
import { OWN_TYPES, VISIBILITIES } from "./words";

type Set = <Name extends keyof Values>(name: Name) => (value: Values[Name]) => void;

/** Description of a work, and its permissions. */
export function WorkForm({
  values,
  problems,
  disabled,
  set,
}: {
  values: Values;
  problems: Problems;
  disabled: boolean;
  set: Set;
}) {
  const categories = useWorksLabelCateQuery({}).data ?? [];
  const industries = useCaseIndustryQuery({}).data ?? [];
  const choices = (
    name: "categoryId" | "industryId",
    label: string,
    all: readonly { id: string; name: string }[],
    none?: string,
  ) => (
    <TextField
      select
      size="small"
      label={label}
      required={name === "categoryId"}
      // empty until the list is loaded, or if the entry was withdrawn
      value={all.some(({ id }) => id === values[name]) ? values[name] : ""}
      disabled={disabled}
      error={problems[name] !== undefined}
      helperText={problems[name]}
      onChange={(event) => set(name)(event.target.value)}
      slotProps={{ select: { displayEmpty: none !== undefined }, inputLabel: none ? { shrink: true } : {} }}
    >
      {none !== undefined && <MenuItem value="">{none}</MenuItem>}
      {all.map(({ id, name: text }) => (
        <MenuItem key={id} value={id}>
          {text}
        </MenuItem>
      ))}
    </TextField>
  );
  return (
    <Box sx={{ display: "grid", gap: 2.5 }}>
      <TextField
        size="small"
        required
        label="作品名称"
        value={values.name}
        disabled={disabled}
        error={problems.name !== undefined}
        helperText={problems.name ?? `${lengthOf(values.name)} / ${MOST.name}`}
        onChange={(event) => set("name")(event.target.value)}
      />
      <TextField
        select
        size="small"
        label="类型"
        value={values.type}
        disabled={disabled}
        onChange={(event) => set("type")(Number(event.target.value))}
      >
        {OWN_TYPES.map(({ value, text }) => (
          <MenuItem key={value} value={value}>
            {text}
          </MenuItem>
        ))}
      </TextField>
      {choices("categoryId", "分类", categories)}
      {choices("industryId", "行业", industries, "不选")}
      <TextField
        multiline
        minRows={4}
        maxRows={14}
        label="介绍"
        value={values.description}
        disabled={disabled}
        error={problems.description !== undefined}
        helperText={problems.description ?? `${lengthOf(values.description)} / ${MOST.description}`}
        onChange={(event) => set("description")(event.target.value)}
      />
      <Labels labels={values.labels} disabled={disabled} onChange={set("labels")} />
      <Box component="fieldset" sx={{ m: 0, p: 0, border: 0 }}>
        <Box component="legend" sx={{ p: 0, fontSize: 14, fontWeight: 500 }}>
          谁能看到
        </Box>
        <RadioGroup
          aria-label="谁能看到"
          value={values.visibility}
          onChange={(_, value) => set("visibility")(value)}
        >
          {VISIBILITIES.map(({ value, text, note }) => (
            <FormControlLabel
              key={value}
              value={value}
              disabled={disabled}
              control={<Radio size="small" />}
              label={
                <>
                  {text}
                  <Box component="span" sx={{ ml: 1, fontSize: 12, color: "text.secondary" }}>
                    {note}
                  </Box>
                </>
              }
            />
          ))}
        </RadioGroup>
      </Box>
      <Box sx={{ display: "grid" }}>
        <FormControlLabel
          control={
            <Switch
              checked={values.commentsAllowed}
              disabled={disabled}
              onChange={(_, on) => set("commentsAllowed")(on)}
            />
          }
          label="允许评论"
        />
        <FormControlLabel
          control={
            <Switch
              checked={values.downloadAllowed}
              disabled={disabled}
              onChange={(_, on) => set("downloadAllowed")(on)}
            />
          }
          label="允许下载模型"
        />
      </Box>
    </Box>
  );
}
