import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import {
  type AuthDataExport,
  useExportLinkMutation,
  useExportStateQuery,
  useStartExportMutation,
} from "@/calls/auth";
import { accountMessages as m } from "@/messages/account";
import { formatBytes } from "@/ui/bytes";
import { Panel } from "@/ui/Panel";
import { ReadFailed } from "@/ui/ReadFailed";
import { LinesSkeleton } from "@/ui/Skeletons";
import { toast } from "@/ui/toast";
import { SettingRow } from "../SettingRow";
import { timeText } from "../sessions/words";

/** Anchor that the account closure links to. */
export const TAKE_ALONG = "take-along";
/** Polling interval while the export is being made, milliseconds. */
const ASK_AGAIN = 3_000;

function stateOf(known: AuthDataExport): { value: string; note: string } {
  const { state, keepDays } = known;
  const next = Number(known.nextAt) > 0 ? `${timeText(known.nextAt)} 后可以再次申请。` : "";
  switch (state) {
    case "making":
      return { value: "正在打包", note: "完成后会发送站内消息，可以离开本页。" };
    case "ready":
      return {
        value: `可以下载（${formatBytes(Number(known.bytes))}）`,
        note: `${timeText(known.readyAt)} 打包，保留到 ${timeText(known.expiresAt)}。${next}`,
      };
    case "expired":
      return { value: "已过期", note: `上次打包的数据已按期删除。${next}` };
    case "failed":
      return { value: "打包失败", note: "没有打包成功，请重新申请。" };
    default:
      return {
        value: "尚未申请",
        note: `资料、认证、消息、订单、账户明细与登录记录打包为一个 ZIP 文件，保留 ${keepDays} 天。`,
      };
  }
}

/** Exports all personal data of the user as a file. */
export function TakeAlongPanel() {
  const { data, isLoading, isError, refetch } = useExportStateQuery({});
  const making = data?.state === "making";
  useExportStateQuery({}, { pollingInterval: making ? ASK_AGAIN : 0, skipPollingIfUnfocused: true });
  const [start, starting] = useStartExportMutation();
  const [fetchLink, fetching] = useExportLinkMutation();

  const ask = async () => {
    const answer = await start({});
    if (!answer.error) toast.success(m.exportAsked);
  };
  const download = async () => {
    const answer = await fetchLink({});
    if (answer.error) return;
    const link = document.createElement("a");
    link.href = answer.data.url;
    link.download = answer.data.fileName;
    link.click();
  };
  const mayAsk = data && !making && Number(data.nextAt) === 0;

  return (
    <Box id={TAKE_ALONG}>
      <Panel title="取走我的数据">
        {isLoading && (
          <Box sx={{ p: 2.5 }}>
            <LinesSkeleton lines={2} />
          </Box>
        )}
        {isError && !data && <ReadFailed dense what="数据打包状态" onRetry={refetch} />}
        {data && (
          <SettingRow
            title="个人数据"
            {...stateOf(data)}
            action={
              <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap" }}>
                {data.state === "ready" && (
                  <Button
                    size="small"
                    variant="contained"
                    loading={fetching.isLoading}
                    onClick={() => void download()}
                  >
                    下载
                  </Button>
                )}
                {mayAsk && (
                  <Button
                    size="small"
                    variant="outlined"
                    loading={starting.isLoading}
                    onClick={() => void ask()}
                  >
                    {data.state === "none" ? "申请数据" : "重新申请"}
                  </Button>
                )}
              </Box>
            }
          />
        )}
      </Panel>
    </Box>
  );
}
