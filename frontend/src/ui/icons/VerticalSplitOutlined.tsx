import { createSvgIcon } from "@mui/material/SvgIcon";

export default createSvgIcon(
  <path d="M3 13h8v2H3zm0 4h8v2H3zm0-8h8v2H3zm0-4h8v2H3zm16 2v10h-4V7zm2-2h-8v14h8z" />,
  "VerticalSplitOutlined",
);
