import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import dayjs from "dayjs";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { PersonalUserInfo } from "@/calls/personal";
import { Avatar, personalNickname, realNameOf } from "@/features/avatar";
import { useSession } from "@/session";
import { useShop } from "@/shop";
import { CertifiedBadge, certifiedOf } from "@/ui/CertifiedBadge";
import { CopyText } from "@/ui/CopyText";
import { gradeOf, MemberBadge } from "@/ui/MemberBadge";
import { Panel } from "@/ui/Panel";
import { LinesSkeleton } from "@/ui/Skeletons";
import { StatusTag } from "@/ui/StatusTag";

function Row({ title, children, tour }: { title: string; children: ReactNode; tour?: string }) {
  return (
    <Box
      data-tour={tour}
      sx={{
        display: "flex",
        alignItems: "center",
        gap: 3,
        minHeight: 56,
        px: 2.5,
        py: 1,
        borderTop: 1,
        borderColor: "divider",
      }}
    >
      <Box component="dt" sx={{ width: 96, flex: "none", color: "text.secondary" }}>
        {title}
      </Box>
      <Box
        component="dd"
        sx={{
          m: 0,
          flex: 1,
          minWidth: 0,
          display: "flex",
          flexWrap: "wrap",
          alignItems: "center",
          gap: 1.5,
          overflowWrap: "anywhere",
        }}
      >
        {children}
      </Box>
    </Box>
  );
}

/** The user's profile summary. */
export function ProfilePanel({ info, loading }: { info: PersonalUserInfo | undefined; loading: boolean }) {
  const session = useSession();
  const shop = useShop();
  const name = info?.nickName || session.nickname;
  const grade = gradeOf(info);
  const realName = realNameOf(info?.checkStatus, Boolean(info?.companyDetailInfo));
  return (
    <Panel title="个人资料" tour="profile">
      {loading ? (
        <Box sx={{ p: 2.5 }}>
          <LinesSkeleton lines={5} />
        </Box>
      ) : (
        <Box component="dl" sx={{ m: 0 }}>
          <Row title="昵称">
            <Avatar url={info?.avatar} name={name} size={40} />
            <Box component="span" sx={{ fontWeight: 500 }} title={name}>
              {personalNickname(name)}
            </Box>
            <CertifiedBadge as={certifiedOf(info?.checkStatus, Boolean(info?.companyDetailInfo))} />
          </Row>
          <Row title="账号">
            {info?.accountNumber ? <CopyText text={info.accountNumber} label="账号" /> : "—"}
          </Row>
          <Row title="手机号">
            <Box component="span" sx={{ fontVariantNumeric: "tabular-nums" }}>
              {info?.mobileNum || "未绑定"}
            </Box>
          </Row>
          <Row title="会员" tour="membership">
            <MemberBadge grade={grade} />
            {grade !== "free" && (
              <Box component="span" sx={{ color: "text.secondary" }}>
                有效期至{" "}
                {info?.expirationTime ? dayjs(Number(info.expirationTime)).format("YYYY-MM-DD") : "—"}
                {info?.remainingDays ? `，还剩 ${info.remainingDays} 天` : ""}
              </Box>
            )}
            <Button size="small" variant="outlined" onClick={() => shop.buy()}>
              {grade === "free" ? "开通会员" : "续费升级"}
            </Button>
            <Box
              component={Link}
              to="/pricePage#compare"
              sx={{ color: "primary.main", textDecoration: "none" }}
            >
              查看会员权益
            </Box>
          </Row>
          <Row title="实名认证" tour="realname">
            <StatusTag tone={realName.tone}>{realName.text}</StatusTag>
            <Box component="span">
              {info?.companyDetailInfo?.companyName ?? info?.personalDetailInfo?.realName}
            </Box>
            {realName.action && (
              <Box
                component={Link}
                to={realName.action.to}
                sx={{ color: "primary.main", textDecoration: "none" }}
              >
                {realName.action.text}
              </Box>
            )}
          </Row>
          {info?.introduce && <Row title="简介">{info.introduce}</Row>}
        </Box>
      )}
    </Panel>
  );
}
