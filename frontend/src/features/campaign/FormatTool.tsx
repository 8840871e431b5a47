import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { Link } from "react-router";
import { FORMATS } from "@/facts/formats";

const HELD = FORMATS.filter(({ family }) => family !== "archive" && family !== "package");
const WRITTEN = FORMATS.filter(({ writes }) => writes);

/** For a file format: whether it can be read, what is kept, and what it can be converted to. */
export function FormatTool() {
  const [name, setName] = useState("fbx");
  const held = HELD.find((format) => format.name === name) ?? HELD[0];
  if (!held) return null;
  const whole = held.reads === "model";
  // oblique photography becomes tiles, not a single file
  const outputs = held.family === "oblique" ? "3D Tiles" : WRITTEN.map(({ title }) => title).join("、");
  const rows = [
    { title: "能不能读", text: held.reading },
    { title: "带得走的内容", text: held.carries },
    { title: "上传时注意", text: held.note },
    { title: "可以转成", text: whole ? outputs : "暂不能转换" },
  ];
  return (
    <Box
      sx={{
        p: { xs: 2.5, md: 4 },
        border: 1,
        borderColor: "divider",
        borderRadius: 2,
        backgroundColor: "background.paper",
        display: "grid",
        gap: 3,
        gridTemplateColumns: { xs: "minmax(0,1fr)", md: "280px minmax(0,1fr)" },
      }}
    >
      <TextField
        select
        label="手里的文件是"
        value={held.name}
        onChange={(event) => setName(event.target.value)}
        slotProps={{ select: { MenuProps: { slotProps: { paper: { sx: { maxHeight: 400 } } } } } }}
      >
        {HELD.map((format) => (
          <MenuItem key={format.name} value={format.name}>
            {`${format.title}（${format.extensions.map((one) => `.${one}`).join("、")}）`}
          </MenuItem>
        ))}
      </TextField>
      <Box aria-live="polite">
        <Box
          component="dl"
          sx={{ m: 0, display: "grid", rowGap: 1.5, gridTemplateColumns: "112px minmax(0,1fr)" }}
        >
          {rows.map(({ title, text }) => (
            <Box key={title} sx={{ display: "contents" }}>
              <Box component="dt" sx={{ color: "text.secondary" }}>
                {title}
              </Box>
              <Box component="dd" sx={{ m: 0 }}>
                {text || "—"}
              </Box>
            </Box>
          ))}
        </Box>
        <Button
          component={Link}
          to={whole ? "/workbench/myUpload?upload=1" : "/helpCenter?id=export-from-software"}
          variant="contained"
          sx={{ mt: 3 }}
        >
          {whole ? `上传 ${held.title} 文件` : "看怎样导出"}
        </Button>
      </Box>
    </Box>
  );
}
