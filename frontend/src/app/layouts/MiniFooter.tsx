import Box from "@mui/material/Box";
import { Link } from "react-router";
import { getConfig } from "@/api/config";

const LINKS = [
  { title: "帮助中心", to: "/helpCenter" },
  { title: "搜索", to: "/common/search" },
  { title: "会员服务协议", to: "/agreement" },
  { title: "平台保密协议", to: "/secrecy" },
] as const;

/** One line with the mandatory links, for pages without the full footer. */
export function MiniFooter() {
  const { icp } = getConfig();
  return (
    <Box
      component="footer"
      sx={{
        px: 2.5,
        py: 2.5,
        mt: "auto",
        display: "flex",
        flexWrap: "wrap",
        justifyContent: "center",
        columnGap: 3,
        rowGap: 1,
        fontSize: 12,
        color: "text.secondary",
        "& a": { color: "inherit", textDecoration: "none" },
        "& a:hover": { color: "primary.main" },
      }}
    >
      <span>© {new Date().getFullYear()} 玄览云</span>
      {LINKS.map((link) => (
        <Link key={link.to} to={link.to}>
          {link.title}
        </Link>
      ))}
      {icp && <span>{icp}</span>}
    </Box>
  );
}
