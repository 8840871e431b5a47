import Box from "@mui/material/Box";
import { withSeenTurns } from "@/lib/direction";
import { StatusTag, type StatusTone } from "@/ui/StatusTag";
import { Card } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import type { Fault } from "./health";

const LEVELS: Partial<Record<StatusTone, string>> = { danger: "故障", warning: "注意" };

/** What is wrong, the worst first; one line if nothing is. */
export function Faults({ faults }: { faults: readonly Fault[] }) {
  if (faults.length === 0)
    return (
      <Box
        role="status"
        sx={{
          display: "flex",
          flexWrap: "wrap",
          alignItems: "center",
          gap: 1.5,
          px: 2,
          py: 1.25,
          border: 1,
          borderColor: "divider",
          borderRadius: 2,
          backgroundColor: "background.paper",
          fontSize: 13,
        }}
      >
        <StatusTag tone="success">一切正常</StatusTag>
        服务与依赖全部就绪，没有重试、积压和死信
      </Box>
    );
  return (
    <Card title={`需要处理（${faults.length}）`} flush>
      <Box component="ul" aria-label="需要处理" sx={{ m: 0, p: 0, listStyle: "none" }}>
        {faults.map(({ what, wrong, tone, detail, to }) => (
          <Box
            component="li"
            key={`${what} ${wrong}`}
            sx={{
              display: "grid",
              gridTemplateColumns: "auto minmax(0, 1fr)",
              columnGap: 1.5,
              alignItems: "start",
              px: 2,
              py: 1,
              fontSize: 13,
              lineHeight: "24px",
              "& + &": { borderTop: 1, borderColor: "divider" },
            }}
          >
            <StatusTag tone={tone}>{LEVELS[tone] ?? "注意"}</StatusTag>
            <Box sx={{ minWidth: 0, overflowWrap: "anywhere" }}>
              <Box component="span" sx={{ mr: 1.5, fontWeight: 500 }}>
                {to ? <RowLink to={to}>{`${what} ${wrong}`}</RowLink> : withSeenTurns(`${what} ${wrong}`)}
              </Box>
              {detail && (
                <Box component="span" sx={{ color: "text.secondary", unicodeBidi: "isolate" }}>
                  {withSeenTurns(detail)}
                </Box>
              )}
            </Box>
          </Box>
        ))}
      </Box>
    </Card>
  );
}
