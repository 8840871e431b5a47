import Box from "@mui/material/Box";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import OutlinedInput from "@mui/material/OutlinedInput";
import { monoFamily } from "@/theme";
import { type Column, DataTable } from "@/ui/DataTable";
import { useQueryFields } from "@/ui/useQueryFields";
import { type AuthRunningSetting, useRunningSettingsQuery } from "../../api/generated/auth";
import { shown } from "../../kit/format";
import { Card, PageTitle } from "../../kit/page";
import { Loaded, Nothing } from "../../kit/states";

const TYPES: Record<string, string> = { text: "文本", number: "数值", flag: "开关", list: "列表" };

const isChanged = (setting: AuthRunningSetting) => !setting.secret && setting.value !== setting.builtIn;

function Value({ children, strong = false }: { children: string; strong?: boolean }) {
  return (
    <Box
      component="span"
      sx={{ fontFamily: monoFamily, fontSize: 12, overflowWrap: "anywhere", fontWeight: strong ? 600 : 400 }}
    >
      {shown(children)}
    </Box>
  );
}

const COLUMNS: readonly Column<AuthRunningSetting>[] = [
  { key: "name", title: "设置项", width: "30%", render: (setting) => <Value>{setting.name}</Value> },
  {
    key: "value",
    title: "当前值",
    width: "34%",
    render: (setting) => <Value strong={isChanged(setting)}>{setting.value}</Value>,
  },
  {
    key: "builtIn",
    title: "默认值",
    width: "28%",
    secondary: true,
    render: (setting) => <Value>{setting.secret ? "" : setting.builtIn}</Value>,
  },
  { key: "type", title: "类型", width: "8%", secondary: true, render: ({ type }) => TYPES[type] ?? type },
];

/** The effective settings beside the product's defaults. Read-only: they are set where the program is started. */
export default function SettingsPage() {
  const [fields, setFields] = useQueryFields();
  const text = fields.get("text") ?? "";
  const changedOnly = fields.get("changed") === "1";
  const query = useRunningSettingsQuery({});
  return (
    <>
      <PageTitle title="设置" note="在配置文件或环境变量中修改，重启后生效；密钥始终隐藏" />
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, mb: 1.5, alignItems: "center" }}>
        <OutlinedInput
          size="small"
          type="search"
          value={text}
          placeholder="按名称或值筛选"
          onChange={(event) => setFields({ text: event.target.value })}
          inputProps={{ "aria-label": "筛选设置项", maxLength: 100 }}
          sx={{ width: { xs: "100%", sm: 280 }, fontSize: 13 }}
        />
        <FormControlLabel
          control={
            <Checkbox
              size="small"
              checked={changedOnly}
              onChange={(_event, checked) => setFields({ changed: checked ? "1" : undefined })}
            />
          }
          label="只看与默认值不同的"
          slotProps={{ typography: { sx: { fontSize: 13 } } }}
        />
      </Box>
      <Loaded query={query} what="设置" rows={12}>
        {({ settings }) => {
          const wanted = text.trim().toLowerCase();
          const rows = settings.filter(
            (one) =>
              (!changedOnly || isChanged(one)) && `${one.name} ${one.value}`.toLowerCase().includes(wanted),
          );
          return (
            <Card title={`${rows.length} 项`} flush>
              <DataTable
                caption="设置"
                columns={COLUMNS}
                rows={rows}
                rowKey={({ name }) => name}
                cards
                empty={<Nothing title="没有符合条件的设置项" />}
              />
            </Card>
          );
        }}
      </Loaded>
    </>
  );
}
