import Box from "@mui/material/Box";
import MenuItem from "@mui/material/MenuItem";
import Select from "@mui/material/Select";
import { useId, useState } from "react";
import {
  type AuthUserShowReply,
  useUserEndSessionsMutation,
  useUserFreezeMutation,
  useUserThawMutation,
} from "../../api/generated/auth";
import { DecisionBar } from "../../kit/reason";
import { useMay } from "../../session/slice";

const DAY_MS = 86_400_000;
const SPANS = [
  { days: 1, text: "1 天" },
  { days: 7, text: "7 天" },
  { days: 30, text: "30 天" },
  { days: 0, text: "长期，直到解冻" },
];
const DEFAULT_DAYS = 7;

/** Freezing, thawing and ending all sessions, each with a reason. */
export function UserDecisions({
  found,
  onDone,
}: {
  found: AuthUserShowReply;
  onDone: (text: string) => void;
}) {
  const may = useMay();
  const [freeze] = useUserFreezeMutation();
  const [thaw] = useUserThawMutation();
  const [end] = useUserEndSessionsMutation();
  const [days, setDays] = useState(DEFAULT_DAYS);
  const { loginId, state } = found.user;
  return (
    <DecisionBar
      decisions={[
        {
          id: "end",
          text: "结束全部会话",
          allowed: may("user.session") && found.sessions.length > 0,
          note: `该用户的 ${found.sessions.length} 个登录会话会立即失效，需要重新登录。`,
          templates: ["用户申请下线", "疑似账号被盗用", "安全事件处置"],
          onConfirm: async (reason) => {
            await end({ loginId, sessionId: "", reason }).unwrap();
            onDone("会话已结束");
          },
        },
        {
          id: "freeze",
          text: "冻结",
          title: "冻结账号",
          danger: true,
          allowed: may("user.freeze") && state === "active",
          note: "冻结后无法登录，现有会话立即失效。数据保留，可以解冻。",
          templates: ["疑似账号被盗用", "发布违规内容", "异常注册或刷单", "用户申请"],
          fields: <SpanField days={days} onDays={setDays} />,
          onConfirm: async (reason) => {
            await freeze({ loginId, until: days > 0 ? Date.now() + days * DAY_MS : 0, reason }).unwrap();
            onDone("账号已冻结");
          },
        },
        {
          id: "thaw",
          text: "解冻",
          title: "解冻账号",
          main: true,
          allowed: may("user.freeze") && state === "frozen",
          note: "解冻后用户可以立即登录。",
          templates: ["已核实为本人", "误判，恢复使用", "处罚期满"],
          onConfirm: async (reason) => {
            await thaw({ loginId, reason }).unwrap();
            onDone("账号已解冻");
          },
        },
      ]}
    />
  );
}

function SpanField({ days, onDays }: { days: number; onDays: (days: number) => void }) {
  const id = useId();
  return (
    <Box>
      <Box id={id} sx={{ mb: 0.75, fontSize: 13 }}>
        冻结时长
      </Box>
      <Select
        fullWidth
        value={days}
        onChange={(event) => onDays(Number(event.target.value))}
        SelectDisplayProps={{ "aria-labelledby": id }}
      >
        {SPANS.map((one) => (
          <MenuItem key={one.days} value={one.days}>
            {one.text}
          </MenuItem>
        ))}
      </Select>
    </Box>
  );
}
