import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { type PaymentMemberFreeCount, useMemberFreeCountsQuery } from "@/calls/payment";
import { shopMessages } from "@/messages/shop";
import { useShop } from "@/shop";
import { EmptyState } from "@/ui/EmptyState";
import { ReadFailed } from "@/ui/ReadFailed";
import { LinesSkeleton } from "@/ui/Skeletons";

const NAMES: Readonly<Record<string, string>> = {
  mall: "付费模型下载",
  lightweight: "单模型轻量化",
  conversion: "格式转换",
  offline: "离线包下载",
};

/** Periods end at midnight in China, regardless of the browser's time zone. */
const day = (ms: number) => new Date(ms + 8 * 3_600_000).toISOString().slice(0, 10);

/** End of the period, and what follows. */
function untilOf({ endTime, renewTime, period }: PaymentMemberFreeCount): string {
  const every = period === "month" ? "本月" : "本会员年度";
  const then = renewTime === null ? "到期后不再恢复" : `${day(renewTime)} 恢复`;
  // A period's last moment is on the day before the next one begins.
  return `${every}有效至 ${day(endTime - 1)}，${then}`;
}

function Count({ count }: { count: PaymentMemberFreeCount }) {
  const { right, left, total } = count;
  const name = NAMES[right] ?? right;
  const endless = left < 0;
  return (
    <Box component="li" aria-label={name} sx={{ p: 2.5, borderTop: 1, borderColor: "divider" }}>
      <Box sx={{ display: "flex", alignItems: "baseline", justifyContent: "space-between", gap: 2 }}>
        <Box sx={{ fontWeight: 500 }}>{name}</Box>
        <Box sx={{ flex: "none", color: "text.secondary", fontVariantNumeric: "tabular-nums" }}>
          {endless ? (
            <Box component="strong" sx={{ fontWeight: 600, color: "text.primary" }}>
              不限次数
            </Box>
          ) : (
            <>
              剩余{" "}
              <Box component="strong" sx={{ fontSize: 20, fontWeight: 600, color: "text.primary" }}>
                {left.toLocaleString("zh-CN")}
              </Box>{" "}
              / {total.toLocaleString("zh-CN")} 次
            </>
          )}
        </Box>
      </Box>
      <Box sx={{ mt: 0.5, fontSize: 12, lineHeight: "20px", color: "text.secondary" }}>{untilOf(count)}</Box>
    </Box>
  );
}

/** Free counts of the current membership: rest and expiry. */
export function FreeCounts() {
  const counts = useMemberFreeCountsQuery({}, { refetchOnMountOrArgChange: true });
  const shop = useShop();
  if (counts.isLoading)
    return (
      <Box sx={{ p: 2.5, borderTop: 1, borderColor: "divider" }}>
        <LinesSkeleton lines={4} />
      </Box>
    );
  if (counts.isError) return <ReadFailed dense what="免费次数" onRetry={counts.refetch} />;
  if (!counts.data?.length)
    return (
      <EmptyState
        dense
        kind="results"
        title={shopMessages.countsNone}
        action={
          <Button variant="outlined" onClick={() => shop.buy()}>
            查看会员
          </Button>
        }
      />
    );
  return (
    <>
      <Box component="ul" aria-label="会员免费次数" sx={{ m: 0, p: 0, listStyle: "none" }}>
        {counts.data.map((count) => (
          <Count key={count.right} count={count} />
        ))}
      </Box>
      <Box
        sx={{
          px: 2.5,
          py: 2,
          borderTop: 1,
          borderColor: "divider",
          fontSize: 12,
          lineHeight: "20px",
          color: "text.secondary",
        }}
      >
        {shopMessages.freeNowNote}
      </Box>
    </>
  );
}
