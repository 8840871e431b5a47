import Box from "@mui/material/Box";
import { useFriendlinkListQuery } from "@/calls/personal";
import { safeHref } from "@/ui/safeHref";
import { FOOTER_LINK as LINK } from "./links";

/** Friend links of the site, in the server's order. */
export function FriendLinks() {
  const { data } = useFriendlinkListQuery({});
  const links = (data ?? []).flatMap((item) => {
    const href = safeHref(item.link);
    return href ? [{ id: item.id, name: item.name, href }] : [];
  });
  if (links.length === 0) return null;
  return (
    <Box
      component="nav"
      aria-label="友情链接"
      sx={{
        py: 2,
        display: "flex",
        flexWrap: "wrap",
        columnGap: 3,
        fontSize: 12,
        borderTop: 1,
        borderColor: "divider",
      }}
    >
      <Box component="span" sx={{ lineHeight: "28px" }}>
        友情链接
      </Box>
      {links.map((link) => (
        <Box
          key={link.id}
          component="a"
          href={link.href}
          target="_blank"
          rel="noreferrer"
          sx={{ ...LINK, fontSize: 12, lineHeight: "28px" }}
        >
          {link.name}
        </Box>
      ))}
    </Box>
  );
}
