import { createSvgIcon } from "@mui/material/SvgIcon";

export default createSvgIcon(<path d="M8 5v14l11-7z" />, "PlayArrow");
