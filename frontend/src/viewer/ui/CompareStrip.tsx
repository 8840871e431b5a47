import Box from "@mui/material/Box";
import { formatBytes } from "@/ui/bytes";
import type { SideState } from "../engine/Compare";
import type { CompareFigures } from "./CompareView";
import { useCountTo } from "./useCountTo";

const narrow = "@container stage (max-width: 620px)";

/** The figures above the picture: before at the left, after at the right, the size between them counting down. */
export function CompareStrip({
  before,
  after,
  error,
  states,
  run,
}: {
  before: CompareFigures;
  after: CompareFigures;
  error?: number;
  states: { before: SideState; after: SideState };
  run: boolean;
}) {
  return (
    <Box
      sx={{
        flex: "none",
        display: "grid",
        gridTemplateColumns: "1fr auto 1fr",
        alignItems: "center",
        columnGap: 2,
        px: 2,
        py: 1,
        bgcolor: "background.paper",
        borderBottom: 1,
        borderColor: "divider",
        fontVariantNumeric: "tabular-nums",
        [narrow]: { gridTemplateColumns: "1fr 1fr", rowGap: 0.5, px: 1.5 },
      }}
    >
      <Side figures={before} state={states.before} />
      <Weight before={before} after={after} run={run} />
      <Side figures={after} state={states.after} end of={before.triangles} error={error} />
    </Box>
  );
}

function Side({
  figures,
  state,
  end = false,
  of = 0,
  error,
}: {
  figures: CompareFigures;
  state: SideState;
  end?: boolean;
  /** triangles before, to show the remaining share */
  of?: number;
  error?: number;
}) {
  const share = of > 0 ? `（${((figures.triangles / of) * 100).toFixed(1)}%）` : "";
  return (
    <Box sx={{ minWidth: 0, textAlign: end ? "right" : "left", [narrow]: { order: end ? 2 : 1 } }}>
      <Box sx={{ fontSize: 12, color: end ? "secondary.main" : "text.secondary" }}>{figures.label}</Box>
      <Box sx={{ fontSize: 13, [narrow]: { fontSize: 12 } }}>
        {`${figures.triangles.toLocaleString("zh-CN")} 面${share}`}
      </Box>
      {state.phase === "loading" ? (
        <Box role="status" sx={{ fontSize: 12, color: "text.secondary" }}>
          {state.progress === undefined ? "正在载入" : `正在载入 ${Math.round(state.progress * 100)}%`}
        </Box>
      ) : (
        error !== undefined && (
          <Box sx={{ fontSize: 12, color: "text.secondary" }}>{`误差 ${formatError(error)}`}</Box>
        )
      )}
    </Box>
  );
}

function Weight({ before, after, run }: { before: CompareFigures; after: CompareFigures; run: boolean }) {
  const bytes = useCountTo(before.bytes, after.bytes, run);
  const saved = before.bytes > 0 ? 1 - after.bytes / before.bytes : 0;
  return (
    <Box
      sx={{
        display: "flex",
        alignItems: "baseline",
        justifyContent: "center",
        gap: 1.5,
        whiteSpace: "nowrap",
        [narrow]: { order: 0, gridColumn: "1 / -1" },
      }}
    >
      <Box
        component="span"
        sx={{ fontSize: 13, color: "text.secondary" }}
      >{`原 ${formatBytes(before.bytes)}`}</Box>
      {/* the animated figure is decoration: the table beside the stage has the final one */}
      <Box
        component="span"
        aria-hidden
        sx={{
          fontSize: 28,
          lineHeight: "36px",
          fontWeight: 600,
          minWidth: "4.5em",
          textAlign: "center",
          [narrow]: { fontSize: 20, lineHeight: "26px" },
        }}
      >
        {formatBytes(Math.round(bytes))}
      </Box>
      <Box component="span" sx={{ fontSize: 13, color: saved > 0 ? "secondary.main" : "warning.main" }}>
        {saved >= 0 ? `减少 ${(saved * 100).toFixed(1)}%` : `增加 ${(-saved * 100).toFixed(1)}%`}
      </Box>
    </Box>
  );
}

/** Share of the model's diagonal: 0.00034 → "0.034%". */
export function formatError(error: number): string {
  const percent = error * 100;
  if (percent === 0) return "0%";
  return `${percent < 0.001 ? percent.toExponential(1) : Number(percent.toPrecision(2))}%`;
}
