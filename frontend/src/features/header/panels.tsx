import Box from "@mui/material/Box";
import { Link } from "react-router";
import { isOpenPath } from "@/app/paths";
import { DEVELOPER_LINKS, type NavLink, PRODUCT_GROUPS } from "./nav";

/** A path whose page has not been built yet says so before it is opened. */
export function SoonTag() {
  return (
    <Box
      component="span"
      sx={{
        ml: 1,
        px: 0.5,
        fontSize: 11,
        lineHeight: "16px",
        borderRadius: "4px",
        color: "text.secondary",
        backgroundColor: "background.default",
        border: 1,
        borderColor: "divider",
        fontWeight: 400,
        whiteSpace: "nowrap",
      }}
    >
      筹备中
    </Box>
  );
}

function PanelLink({ link, close }: { link: NavLink; close: () => void }) {
  return (
    <Box
      component={Link}
      to={link.to}
      onClick={close}
      sx={{
        display: "block",
        p: 1.5,
        mx: -1.5,
        borderRadius: 2,
        textDecoration: "none",
        color: "text.primary",
        "&:hover, &:focus-visible": (theme) => ({ backgroundColor: theme.tokens.primarySoft }),
      }}
    >
      <Box sx={{ fontWeight: 500, display: "flex", alignItems: "center" }}>
        {link.title}
        {!isOpenPath(link.to) && <SoonTag />}
      </Box>
      {link.note && <Box sx={{ mt: 0.25, fontSize: 12, color: "text.secondary" }}>{link.note}</Box>}
    </Box>
  );
}

export function ProductPanel({ close }: { close: () => void }) {
  return (
    <Box
      sx={{
        maxWidth: 1200,
        mx: "auto",
        px: 3,
        py: 4,
        display: "grid",
        gridTemplateColumns: "1fr 1fr 1.2fr",
        gap: 6,
      }}
    >
      {PRODUCT_GROUPS.map((group, index) => (
        <Box key={group.title}>
          <Box sx={{ fontSize: 12, color: "text.secondary", mb: 1 }}>{group.title}</Box>
          <Box
            sx={
              index === PRODUCT_GROUPS.length - 1
                ? { display: "grid", gridTemplateColumns: "1fr 1fr", columnGap: 4 }
                : undefined
            }
          >
            {group.links.map((link) => (
              <PanelLink key={link.to} link={link} close={close} />
            ))}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

export function DeveloperPanel({ close }: { close: () => void }) {
  return (
    <Box sx={{ px: 3, py: 1.5 }}>
      {DEVELOPER_LINKS.map((link) => (
        <PanelLink key={link.to} link={link} close={close} />
      ))}
    </Box>
  );
}
