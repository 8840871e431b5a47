import { createSvgIcon } from "@mui/material/SvgIcon";

export default createSvgIcon(
  <path d="M10 3a7 7 0 1 0 4.2 12.6l5.1 5.1 1.4-1.4-5.1-5.1A7 7 0 0 0 10 3m0 2a5 5 0 0 1 0 10zm-1 .1v9.8A5 5 0 0 1 9 5.1" />,
  "LensOutlined",
);
