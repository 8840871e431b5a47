import Box from "@mui/material/Box";
import type { Theme } from "@mui/material/styles";
import type { SystemStyleObject } from "@mui/system";
import { Link } from "react-router";
import { getConfig } from "@/api/config";
import { SoonTag } from "@/ui/SoonTag";
import { safeHref } from "@/ui/safeHref";

/** Link to the mall: a page of this site, or another site in a new tab; nothing if none is configured. */
export function MallLink({ sx, onClick }: { sx: SystemStyleObject<Theme>; onClick?: () => void }) {
  const { mallUrl } = getConfig();
  // `//` would lead to another site.
  if (/^\/(?![/\\])/.test(mallUrl)) {
    return (
      <Box component={Link} to={mallUrl} onClick={onClick} sx={sx}>
        模型商城
        <SoonTag to={mallUrl} />
      </Box>
    );
  }
  const href = safeHref(mallUrl);
  if (!href) return null;
  return (
    <Box component="a" href={href} target="_blank" rel="noreferrer" sx={sx}>
      模型商城
    </Box>
  );
}
