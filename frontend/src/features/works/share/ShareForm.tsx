import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import MenuItem from "@mui/material/MenuItem";
import Switch from "@mui/material/Switch";
import TextField from "@mui/material/TextField";
import { type ReactNode, useState } from "react";
import { serverNow } from "@/api";
import { useChangeShareMutation, useCreateShareMutation, type WorksShare } from "@/calls/works";
import { useSession } from "@/session";
import { dateText } from "@/ui/dateText";
import { toast } from "@/ui/toast";
import type { Viewer } from "../../../../sdk/index.js";
import {
  BACKGROUNDS,
  DAY_MS,
  endsWithin,
  formOf,
  fresh,
  leftOf,
  type Options,
  type Problems,
  problemsOf,
  TOOLS,
  type Values,
  valuesOf,
} from "./shareRules";

/** Limits of a share, and the options of its page. */
export function ShareForm({
  worksId,
  share,
  isPrivate,
  longest,
  viewer,
  onMade,
}: {
  worksId: string;
  /** missing: a new one */
  share?: WorksShare;
  isPrivate: boolean;
  longest: number;
  /** of the preview */
  viewer?: Viewer;
  onMade: (shareId: string) => void;
}) {
  const { loginId } = useSession();
  const [values, setValues] = useState<Values>(() => (share ? valuesOf(share) : fresh(longest)));
  const [problems, setProblems] = useState<Problems>({});
  const [create, creating] = useCreateShareMutation();
  const [change, changing] = useChangeShareMutation();
  const set = (next: Partial<Values>) => setValues((old) => ({ ...old, ...next }));
  const setOptions = (next: Partial<Options>) =>
    setValues((old) => ({ ...old, options: { ...old.options, ...next } }));
  const { options } = values;

  async function save() {
    const wrong = problemsOf(values);
    setProblems(wrong);
    const first = Object.values(wrong)[0];
    if (first !== undefined) {
      toast.warning(first);
      return;
    }
    const form = { userId: loginId, ...formOf(values, serverNow()) };
    try {
      if (share) {
        setValues(valuesOf(await change({ ...form, shareId: share.shareId }).unwrap()));
        toast.success("已保存");
      } else {
        const { shareId } = await create({ ...form, worksId }).unwrap();
        toast.success("分享已创建");
        onMade(shareId);
      }
    } catch {
      // already reported by the shared wrapper; the form keeps its input
    }
  }

  /** Uses the same API as any page that embeds the share. */
  async function takeView() {
    if (!viewer) return;
    try {
      setOptions({ start: await viewer.call("camera.get") });
      toast.success("已取用当前视角，保存后生效");
    } catch {
      toast.warning("预览还没有准备好，请稍后再试");
    }
  }

  function paint(color: string) {
    setOptions({ background: color || undefined });
    if (color) viewer?.call("background", { color }).catch(() => undefined);
  }

  return (
    <Box
      component="form"
      noValidate
      aria-label="分享设置"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      sx={{ display: "grid", gap: 2.5 }}
    >
      <Group title="谁能看">
        <PasswordField
          has={share?.hasPassword === true}
          value={values.password}
          problem={problems.password}
          onChange={(password) => set({ password })}
        />
        <TextField
          select
          size="small"
          label="有效期"
          value={values.end}
          helperText={longest > 0 ? `免费版最长 ${longest / DAY_MS} 天，会员不限` : undefined}
          onChange={(event) => set({ end: event.target.value })}
        >
          {share && (
            <MenuItem value="keep">
              {share.endsAt ? `不变，${dateText(share.endsAt)} 截止` : "不变，不限期"}
            </MenuItem>
          )}
          {endsWithin(share ? leftOf(longest, share, serverNow()) : longest).map(({ value, text }) => (
            <MenuItem key={value} value={value}>
              {value === "0" ? text : `从现在起 ${text}`}
            </MenuItem>
          ))}
        </TextField>
        <TextField
          size="small"
          label="最多访问次数"
          placeholder="不限"
          value={values.maxViews}
          error={problems.maxViews !== undefined}
          helperText={problems.maxViews}
          onChange={(event) => set({ maxViews: event.target.value.trim() })}
          slotProps={{ htmlInput: { inputMode: "numeric", maxLength: 7 }, inputLabel: { shrink: true } }}
        />
        <TextField
          multiline
          minRows={2}
          maxRows={6}
          size="small"
          label="可以嵌入的域名"
          placeholder={"example.com\n*.example.com"}
          value={values.domains}
          error={problems.domains !== undefined}
          helperText={
            problems.domains ??
            (isPrivate ? "每行一个；私密作品不填就不能嵌入" : "每行一个；不填则任何网站都能嵌入")
          }
          onChange={(event) => set({ domains: event.target.value })}
          slotProps={{ htmlInput: { spellCheck: false, maxLength: 2600 }, inputLabel: { shrink: true } }}
        />
      </Group>
      <Group title="怎样显示">
        <Box sx={{ display: "grid", gridTemplateColumns: "1fr 1fr", gap: 1.5 }}>
          {(["width", "height"] as const).map((side) => (
            <TextField
              key={side}
              size="small"
              label={side === "width" ? "宽（像素）" : "高（像素）"}
              placeholder={side === "width" ? "占满" : "480"}
              value={options[side] || ""}
              error={problems[side] !== undefined}
              helperText={problems[side]}
              onChange={(event) =>
                setOptions({ [side]: Number(event.target.value.replace(/\D/g, "").slice(0, 4)) })
              }
              slotProps={{ htmlInput: { inputMode: "numeric" }, inputLabel: { shrink: true } }}
            />
          ))}
        </Box>
        <TextField
          select
          size="small"
          label="背景"
          value={options.background ?? ""}
          onChange={(event) => paint(event.target.value)}
          slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
        >
          {BACKGROUNDS.map(({ value, text }) => (
            <MenuItem key={value} value={value}>
              {text}
            </MenuItem>
          ))}
        </TextField>
        <FormControlLabel
          control={
            <Switch checked={options.autostart} onChange={(_, autostart) => setOptions({ autostart })} />
          }
          label="进入画面就载入模型"
        />
        <Tools chosen={options.tools} onChange={(tools) => setOptions({ tools })} />
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "center" }}>
          <Button variant="outlined" size="small" disabled={!viewer} onClick={() => void takeView()}>
            用预览的视角开始
          </Button>
          {options.start && (
            <Button size="small" color="inherit" onClick={() => setOptions({ start: undefined })}>
              恢复作品的视角
            </Button>
          )}
        </Box>
      </Group>
      <Button type="submit" variant="contained" loading={creating.isLoading || changing.isLoading}>
        {share ? "保存" : "创建分享"}
      </Button>
    </Box>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box component="fieldset" sx={{ m: 0, p: 0, border: 0, display: "grid", gap: 2, minWidth: 0 }}>
      <Box component="legend" sx={{ p: 0, mb: 1.5, fontSize: 16, lineHeight: "24px", fontWeight: 600 }}>
        {title}
      </Box>
      {children}
    </Box>
  );
}

/** `value` undefined: the password is unchanged. */
function PasswordField({
  has,
  value,
  problem,
  onChange,
}: {
  has: boolean;
  value: string | undefined;
  problem?: string;
  onChange: (password: string | undefined) => void;
}) {
  return (
    <TextField
      size="small"
      label="访问密码"
      placeholder={has && value === undefined ? "已设置，不修改" : "不设密码"}
      value={value ?? ""}
      error={problem !== undefined}
      helperText={problem ?? (has && value === "" ? "保存后不再需要密码" : "4 到 32 个字符")}
      // Typing and clearing keeps an existing password: only its button removes it.
      onChange={(event) => onChange(event.target.value || (has ? undefined : ""))}
      slotProps={{
        htmlInput: { maxLength: 32, autoComplete: "off", spellCheck: false },
        inputLabel: { shrink: true },
        input: {
          endAdornment: has && value === undefined && (
            <Button size="small" sx={{ flex: "none" }} onClick={() => onChange("")}>
              取消密码
            </Button>
          ),
        },
      }}
    />
  );
}

function Tools({
  chosen,
  onChange,
}: {
  /** undefined: all */
  chosen: string[] | undefined;
  onChange: (tools: string[] | undefined) => void;
}) {
  const all = TOOLS.map(({ id }) => id as string);
  const now = chosen ?? all;
  const toggle = (id: string) => {
    const next = all.filter((one) => (one === id ? !now.includes(one) : now.includes(one)));
    onChange(next.length === all.length ? undefined : next);
  };
  return (
    <Box component="fieldset" sx={{ m: 0, p: 0, border: 0 }}>
      <Box component="legend" sx={{ p: 0, fontSize: 14, fontWeight: 500 }}>
        工具
      </Box>
      <Box sx={{ display: "flex", flexWrap: "wrap" }}>
        {TOOLS.map(({ id, text }) => (
          <FormControlLabel
            key={id}
            control={<Checkbox size="small" checked={now.includes(id)} onChange={() => toggle(id)} />}
            label={text}
          />
        ))}
      </Box>
    </Box>
  );
}
