import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import dayjs from "dayjs";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { usePersonalAccountInformationQuery, usePersonalQueryInfoQuery } from "@/api";
import { Avatar } from "@/features/avatar/Avatar";
import { personalNickname, realNameOf } from "@/features/avatar/model";
import { GuidedTour } from "@/features/tour/GuidedTour";
import { Panel } from "@/features/workbench/Panel";
import { useSession } from "@/session";
import { useShop } from "@/shop";
import { CopyText } from "@/ui/CopyText";
import { EmptyState } from "@/ui/EmptyState";
import { gradeOf, MemberBadge } from "@/ui/MemberBadge";
import { PageHeader } from "@/ui/PageHeader";
import { formatCents } from "@/ui/Price";
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

function Balance({
  title,
  cents,
  act,
  to,
}: {
  title: string;
  cents: number | undefined;
  act: string;
  to: string;
}) {
  return (
    <Box sx={{ p: 2.5, borderTop: 1, borderColor: "divider" }}>
      <Box sx={{ fontSize: 12, color: "text.secondary" }}>{title}（元）</Box>
      <Box sx={{ mt: 0.5, display: "flex", alignItems: "baseline", justifyContent: "space-between", gap: 2 }}>
        <Box sx={{ fontSize: 24, lineHeight: "32px", fontWeight: 600, fontVariantNumeric: "tabular-nums" }}>
          {cents === undefined ? "—" : formatCents(cents)}
        </Box>
        <Box component={Link} to={to} sx={{ color: "primary.main", textDecoration: "none" }}>
          {act}
        </Box>
      </Box>
    </Box>
  );
}

/** The personal centre's first page: what is on file about me, and what I hold. */
export default function AccountHome() {
  const session = useSession();
  const shop = useShop();
  const skip = !session.signedIn;
  const user = usePersonalQueryInfoQuery({ userId: session.loginId }, { skip });
  const account = usePersonalAccountInformationQuery({ userId: session.loginId }, { skip });
  const info = user.data;
  const name = info?.nickName || session.nickname;
  const grade = gradeOf(info?.memberGradeName, info?.memberStatus);
  const realName = realNameOf(info?.checkStatus, Boolean(info?.companyDetailInfo));

  if (user.isError) {
    return (
      <EmptyState
        heading="h1"
        kind="error"
        title="账户信息没有读到"
        hint="检查网络后再试一次；若刚刚退出登录，请重新登录"
        action={
          <Button variant="outlined" onClick={user.refetch}>
            重新读取
          </Button>
        }
      />
    );
  }

  return (
    <>
      <PageHeader title="账户信息" note="你在玄览云留下的资料，以及账户里有什么" />
      <Box
        sx={{
          display: "grid",
          gap: 3,
          alignItems: "start",
          gridTemplateColumns: { xs: "minmax(0,1fr)", lg: "minmax(0,1.7fr) minmax(0,1fr)" },
        }}
      >
        <Panel title="个人资料" tour="profile">
          {user.isLoading ? (
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
        <Panel title="账户余额" tour="balance">
          <Balance
            title="云币"
            cents={account.data?.cloudCoin}
            act="充值"
            to="/workbench/account/accountRecharge"
          />
          <Balance
            title="收入"
            cents={account.data?.incomeBalance}
            act="提现"
            to="/workbench/account/accountWithdrawals"
          />
          <Box
            sx={{
              p: 2.5,
              borderTop: 1,
              borderColor: "divider",
              display: "flex",
              justifyContent: "space-between",
            }}
          >
            <span>
              优惠券{" "}
              <Box component="strong" sx={{ fontWeight: 600, fontVariantNumeric: "tabular-nums" }}>
                {account.data?.couponCount ?? "—"}
              </Box>{" "}
              张
              {Number(account.data?.expiringCouponCount ?? 0) > 0 && (
                <Box component="span" sx={{ ml: 1, color: "warning.main" }}>
                  {account.data?.expiringCouponCount} 张即将到期
                </Box>
              )}
            </span>
            <Box
              component={Link}
              to="/workbench/account/myCoupon"
              sx={{ color: "primary.main", textDecoration: "none" }}
            >
              查看
            </Box>
          </Box>
        </Panel>
      </Box>
      <GuidedTour name="personal" />
    </>
  );
}
