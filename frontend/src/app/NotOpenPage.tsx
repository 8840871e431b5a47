import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { Link as RouterLink, useLocation } from "react-router";
import { type PagePath, paths } from "./paths";
import { useRouteTitle } from "./routeTitle";

/** Open pages worth offering, in this order; only those that really are open are shown. */
const offered = [
  "/",
  "/singleIightweight",
  "/formatConversion",
  "/workbench",
  "/workbench/myUpload",
  "/helpCenter",
  "/pricePage",
];

function openPages(): PagePath[] {
  return offered.flatMap((path) => paths.filter((page) => page.path === path && page.open));
}

/** An honest page for addresses that belong to the product and have nothing behind them yet. */
export default function NotOpenPage() {
  const title = useRouteTitle();
  const { pathname } = useLocation();
  const pages = openPages().filter((page) => page.path !== pathname);
  return (
    <Box sx={{ maxWidth: 560, mx: "auto", px: 3, py: { xs: 8, md: 14 } }}>
      <Typography sx={{ color: "text.secondary" }}>{title}</Typography>
      <Typography variant="h2" component="h1" sx={{ mt: 1 }}>
        该页面尚未开放
      </Typography>
      <Typography sx={{ mt: 1.5, color: "text.secondary" }}>
        这一部分还在建设中，暂时不能使用。您可以先看看已经开放的部分：
      </Typography>
      <Box component="ul" sx={{ listStyle: "none", p: 0, mt: 3, mb: 0 }}>
        {pages.map((page) => (
          <Box
            component="li"
            key={page.path}
            sx={{
              borderTop: 1,
              borderColor: "divider",
              "&:last-of-type": { borderBottom: 1, borderColor: "divider" },
            }}
          >
            <Link
              component={RouterLink}
              to={page.path}
              sx={{ display: "flex", justifyContent: "space-between", py: 1.75 }}
            >
              <span>{page.title}</span>
              <span aria-hidden="true">→</span>
            </Link>
          </Box>
        ))}
      </Box>
    </Box>
  );
}
