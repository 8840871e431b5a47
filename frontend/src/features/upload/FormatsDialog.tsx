import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { useTheme } from "@mui/material/styles";
import { FAMILIES, FORMATS } from "@/facts/formats";
import { acceptedExtensions } from "@/transfer/rules";
import { useUploadLimits } from "./hooks";

/** All known formats; the server's list decides which are shown. */
const families = FAMILIES.map(({ name, title }) => ({
  title,
  formats: FORMATS.flatMap((row) => (row.family === name ? row.extensions : [])),
}));
const archives = FORMATS.flatMap((row) => (row.family === "archive" ? row.extensions : []));

/** Overview of the supported formats. */
export function FormatsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { context, loading } = useUploadLimits("object");
  const accepted = acceptedExtensions("object", context.settings);
  const known = new Set(families.flatMap((family) => family.formats));
  const drawn = families
    .map((family) => ({ ...family, formats: family.formats.filter((f) => accepted.includes(f)) }))
    .concat({ title: "其他", formats: accepted.filter((f) => !known.has(f)) })
    .filter((family) => family.formats.length > 0);
  return (
    <Dialog open={open} onClose={onClose} aria-labelledby="formats-title" maxWidth="sm" fullWidth>
      <DialogTitle id="formats-title">支持的格式</DialogTitle>
      <DialogContent>
        {loading ? (
          <Box sx={{ py: 6, textAlign: "center", color: "text.secondary" }}>正在读取格式</Box>
        ) : (
          <Picture families={drawn} />
        )}
        <Box component="ul" sx={{ m: 0, mt: 2, pl: 2.5, color: "text.secondary", fontSize: 13 }}>
          <li>带贴图的 OBJ、glTF 请把贴图、材质文件和模型放进同一个 zip。</li>
          <li>倾斜摄影请把整个数据目录打成一个 zip 或 rar。</li>
          <li>压缩包内有多个模型时，取格式信息最全的一个；格式相同时取体积最大的。</li>
        </Box>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} variant="contained">
          知道了
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const CELL = 92;
const ROW = 132;

function Picture({ families: list }: { families: readonly { title: string; formats: readonly string[] }[] }) {
  const { tokens } = useTheme();
  const columns = 5;
  let y = 0;
  const rows = list.map((family) => {
    const top = y;
    y += 34 + Math.ceil(family.formats.length / columns) * (ROW - 28) + 6;
    return { ...family, top };
  });
  const text = list.map((family) => `${family.title}：${family.formats.join("、")}`).join("；");
  return (
    <Box
      component="svg"
      role="img"
      aria-label={`支持的格式。${text}`}
      viewBox={`0 0 ${columns * 104} ${Math.max(y, 40)}`}
      sx={{ width: "100%", display: "block" }}
    >
      {rows.map((family) => (
        <g key={family.title} transform={`translate(0 ${family.top})`}>
          <text x={6} y={20} fontSize={13} fill={tokens.textSecond}>
            {family.title}
          </text>
          {family.formats.map((format, i) => (
            <g
              key={format}
              transform={`translate(${(i % columns) * 104 + 6} ${34 + Math.floor(i / columns) * (ROW - 28)})`}
            >
              <path
                d={`M4 0h${CELL - 30}l26 24v60a4 4 0 0 1 -4 4h${-(CELL - 8)}a4 4 0 0 1 -4 -4v-80a4 4 0 0 1 4 -4z`}
                fill={tokens.primarySoft}
                stroke={tokens.line}
              />
              <path d={`M${CELL - 26} 0v20a4 4 0 0 0 4 4h22`} fill={tokens.card} stroke={tokens.line} />
              <g
                transform={`translate(${CELL / 2 - 2} 34)`}
                fill="none"
                stroke={tokens.primary}
                strokeWidth={1.5}
                strokeLinejoin="round"
              >
                {archives.includes(format) ? (
                  <path d="M0 -14v6M0 -4v6M0 6v8M-10 -14h20v30h-20z" />
                ) : (
                  <path d="M0 -16l14 8v16l-14 8l-14 -8v-16zM-14 -8l14 8l14 -8M0 0v16" />
                )}
              </g>
              <text
                x={CELL / 2 - 2}
                y={76}
                fontSize={14}
                fontWeight={600}
                textAnchor="middle"
                fill={tokens.text}
              >
                {format.toUpperCase()}
              </text>
            </g>
          ))}
        </g>
      ))}
    </Box>
  );
}
