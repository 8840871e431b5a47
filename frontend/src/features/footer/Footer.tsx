import Box from "@mui/material/Box";
import { ThemeProvider } from "@mui/system";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { getConfig } from "@/api/config";
import { darkTheme } from "@/theme";
import { Logo } from "@/ui/Logo";
import { QrCode } from "@/ui/QrCode";
import { telHref } from "@/ui/safeHref";
import { useLaterLayout } from "@/ui/useLaterLayout";
import { whenNear } from "@/ui/whenNear";
import { FOOTER_COLUMNS, FOOTER_LINK as LINK } from "./links";

function Column({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box>
      <Box
        component="h2"
        sx={{ m: 0, mb: 1, fontSize: 14, lineHeight: "22px", fontWeight: 500, color: "#fff" }}
      >
        {title}
      </Box>
      {children}
    </Box>
  );
}

/** Requested when the footer comes near. */
const FriendLinks = whenNear(
  () => import(/* webpackChunkName: "friend-links" */ "./FriendLinks").then((module) => module.FriendLinks),
  1,
);

/** With the links of this file, without contacts. */
const HEIGHT = { xs: 654, md: 365 };

export function Footer() {
  const config = getConfig();
  const { hotline, contact, wechatConsultUrl } = config;
  const reachable = hotline || contact.email || contact.address || wechatConsultUrl;
  const year = new Date().getFullYear();
  const later = useLaterLayout(HEIGHT);
  return (
    <ThemeProvider theme={darkTheme}>
      <Box
        component="footer"
        sx={{
          backgroundColor: "background.default",
          color: "text.secondary",
          mt: "auto",
          fontSize: 14,
          ...later,
        }}
      >
        <Box sx={{ maxWidth: 1200, mx: "auto", px: { xs: 2.5, lg: 0 } }}>
          <Box
            sx={{
              py: { xs: 5, md: 7 },
              display: "grid",
              gap: { xs: 4, md: 6 },
              gridTemplateColumns: {
                xs: "1fr 1fr",
                md: `1.7fr 1fr 1fr 1fr${reachable ? " 1.5fr" : ""}`,
              },
            }}
          >
            <Box sx={{ gridColumn: { xs: "1 / -1", md: "auto" } }}>
              <Logo tone="onDark" />
              <Box component="p" sx={{ m: 0, mt: 2, maxWidth: 260 }}>
                上传即体检，轻量即发布。
                <br />
                让每一个三维模型，轻盈抵达。
              </Box>
            </Box>
            {FOOTER_COLUMNS.map((column) => (
              <Column key={column.title} title={column.title}>
                {column.links.map((link) => (
                  <Box key={link.to}>
                    <Box component={Link} to={link.to} sx={LINK}>
                      {link.title}
                    </Box>
                  </Box>
                ))}
              </Column>
            ))}
            {reachable && (
              <Box sx={{ gridColumn: { xs: "1 / -1", md: "auto" } }}>
                <Column title="联系我们">
                  <Box component="address" sx={{ fontStyle: "normal", lineHeight: "28px" }}>
                    {config.hotline && (
                      <Box>
                        热线{" "}
                        <Box
                          component="a"
                          href={telHref(config.hotline)}
                          sx={{
                            ...LINK,
                            color: "#fff",
                            fontVariantNumeric: "tabular-nums",
                            lineHeight: "28px",
                          }}
                        >
                          {config.hotline}
                        </Box>
                      </Box>
                    )}
                    {config.contact.email && (
                      <Box>
                        邮箱{" "}
                        <Box
                          component="a"
                          href={`mailto:${config.contact.email}`}
                          sx={{ ...LINK, color: "#fff", lineHeight: "28px" }}
                        >
                          {config.contact.email}
                        </Box>
                      </Box>
                    )}
                    {config.contact.address && <Box>地址 {config.contact.address}</Box>}
                  </Box>
                  {config.wechatConsultUrl && (
                    <Box sx={{ mt: 2 }}>
                      <QrCode value={config.wechatConsultUrl} label="微信咨询" size={88} />
                    </Box>
                  )}
                </Column>
              </Box>
            )}
          </Box>
          <FriendLinks />
          <Box
            sx={{
              py: 2.5,
              borderTop: 1,
              borderColor: "divider",
              display: "flex",
              flexWrap: "wrap",
              gap: 2,
              fontSize: 12,
            }}
          >
            <span>© {year} 玄览云</span>
            {config.icp && (
              <Box
                component="a"
                href="https://beian.miit.gov.cn/"
                target="_blank"
                rel="noreferrer"
                sx={{ color: "inherit", textDecoration: "none" }}
              >
                {config.icp}
              </Box>
            )}
          </Box>
        </Box>
      </Box>
    </ThemeProvider>
  );
}
