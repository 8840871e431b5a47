import Box from "@mui/material/Box";
import { useTheme } from "@mui/material/styles";
import { VISUALLY_HIDDEN } from "./visuallyHidden";

export interface Point {
  label: string;
  value: number;
}

const WIDTH = 320;

/** Bars over time, drawn as SVG; a hidden table has the same figures for screen readers. */
export function Bars({
  points,
  title,
  height = 72,
}: {
  points: readonly Point[];
  title: string;
  height?: number;
}) {
  const { tokens } = useTheme();
  const most = Math.max(1, ...points.map(({ value }) => value));
  const isEmpty = points.every(({ value }) => value === 0);
  const step = WIDTH / Math.max(1, points.length);
  return (
    <Box component="figure" sx={{ m: 0, position: "relative" }}>
      {isEmpty && (
        <Box
          sx={{
            position: "absolute",
            insetInline: 0,
            top: 0,
            height,
            display: "grid",
            placeItems: "center",
            fontSize: 13,
            color: "text.secondary",
          }}
        >
          这段时间没有数据
        </Box>
      )}
      <svg
        viewBox={`0 0 ${WIDTH} ${height}`}
        width="100%"
        height={height}
        preserveAspectRatio="none"
        aria-hidden="true"
        focusable="false"
      >
        <line x1="0" x2={WIDTH} y1={height - 0.5} y2={height - 0.5} stroke={tokens.line} />
        {points.map(({ label, value }, index) => {
          const tall = (value / most) * (height - 6);
          return (
            <rect
              key={label}
              x={index * step + step * 0.14}
              y={height - tall - 1}
              width={step * 0.72}
              height={value > 0 ? Math.max(1.5, tall) : 0}
              fill={index === points.length - 1 ? tokens.primary : "#9DB8F5"}
            >
              <title>{`${label}：${value}`}</title>
            </rect>
          );
        })}
      </svg>
      {points.length > 1 && (
        <Box
          aria-hidden="true"
          sx={{
            display: "flex",
            justifyContent: "space-between",
            fontSize: 12,
            lineHeight: "18px",
            color: "text.secondary",
          }}
        >
          <span>{points[0]?.label}</span>
          <span>{points.at(-1)?.label}</span>
        </Box>
      )}
      <Box component="table" sx={VISUALLY_HIDDEN}>
        <caption>{title}</caption>
        <tbody>
          {points.map(({ label, value }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </Box>
    </Box>
  );
}
