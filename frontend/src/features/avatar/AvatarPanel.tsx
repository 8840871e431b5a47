import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import ButtonBase from "@mui/material/ButtonBase";
import dayjs from "dayjs";
import type { ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import { signOut, useSession } from "@/session";
import { useShop } from "@/shop";
import { goldButton } from "@/theme";
import { CertifiedBadge, certifiedOf } from "@/ui/CertifiedBadge";
import { CopyText } from "@/ui/CopyText";
import { gradeOf, MemberBadge } from "@/ui/MemberBadge";
import { formatCents } from "@/ui/Price";
import { LinesSkeleton } from "@/ui/Skeletons";
import { SoonTag } from "@/ui/SoonTag";
import { StatusTag } from "@/ui/StatusTag";
import { Avatar } from "./Avatar";
import { useAvatarData } from "./data";
import { dropdownNickname, realNameOf } from "./model";

const ACCOUNT = "/workbench/account";

function Balance({ title, cents, to, act, close }: BalanceProps) {
  return (
    <Box sx={{ flex: 1, minWidth: 0 }}>
      <Box sx={{ fontSize: 12, color: "text.secondary" }}>{title}</Box>
      <Box sx={{ display: "flex", alignItems: "baseline", gap: 1, mt: 0.25 }}>
        <Box component="span" sx={{ fontSize: 16, fontWeight: 600, fontVariantNumeric: "tabular-nums" }}>
          {formatCents(cents)}
        </Box>
        <TextLink to={to} onClick={close}>
          {act}
        </TextLink>
      </Box>
    </Box>
  );
}

interface BalanceProps {
  title: string;
  cents: number;
  to: string;
  act: string;
  close: () => void;
}

function TextLink({ to, onClick, children }: { to: string; onClick: () => void; children: ReactNode }) {
  return (
    <Box
      component={Link}
      to={to}
      onClick={onClick}
      sx={{
        fontSize: 12,
        color: "primary.main",
        textDecoration: "none",
        "&:hover": { textDecoration: "underline" },
      }}
    >
      {children}
      <SoonTag to={to} />
    </Box>
  );
}

function Entry({ to, text, count, close }: { to: string; text: string; count?: number; close: () => void }) {
  return (
    <ButtonBase
      component={Link}
      to={to}
      onClick={close}
      disableRipple
      sx={{
        justifyContent: "space-between",
        px: 1.5,
        height: 40,
        borderRadius: "4px",
        fontSize: 14,
        "&:hover, &:focus-visible": { backgroundColor: "action.hover" },
      }}
    >
      <span>
        {text}
        <SoonTag to={to} />
      </span>
      {count !== undefined && (
        <Box
          component="span"
          sx={{
            fontVariantNumeric: "tabular-nums",
            color: count > 0 ? "primary.main" : "text.secondary",
            fontWeight: count > 0 ? 600 : 400,
          }}
        >
          {count}
        </Box>
      )}
    </ButtonBase>
  );
}

/** The avatar's dropdown: identity, balances and links. */
export default function AvatarPanel({ close }: { close: () => void }) {
  const { nickname } = useSession();
  const navigate = useNavigate();
  const shop = useShop();
  const { info, user, account, loading } = useAvatarData();
  const name = info?.nickName || user?.nickName || nickname;
  const grade = gradeOf(info);
  const checkStatus = info?.checkStatus ?? user?.checkStatus;
  const hasCompany = Boolean(info?.companyDetailInfo ?? user?.companyDetailInfo);
  const realName = realNameOf(checkStatus, hasCompany);
  const certified = certifiedOf(checkStatus, hasCompany);
  const expires = info?.expirationTime ?? user?.expirationTime;

  function leave() {
    close();
    void signOut();
    navigate("/");
  }

  return (
    <Box sx={{ p: 2 }}>
      <Box sx={{ display: "flex", gap: 1.5, alignItems: "center" }}>
        <Avatar url={info?.avatar ?? user?.avatar} name={name} size={44} />
        <Box sx={{ minWidth: 0 }}>
          <Box sx={{ display: "flex", alignItems: "center", gap: 1 }}>
            <Box component="strong" sx={{ fontWeight: 600, fontSize: 16 }}>
              {dropdownNickname(name)}
            </Box>
            <MemberBadge grade={grade} />
            <CertifiedBadge as={certified} />
          </Box>
          {loading ? (
            <LinesSkeleton lines={1} />
          ) : (
            <Box sx={{ fontSize: 12, color: "text.secondary", mt: 0.25 }}>
              账号 <CopyText text={info?.accountNumber || user?.accountNumber || "—"} label="账号" />
            </Box>
          )}
        </Box>
      </Box>

      <Box
        sx={(theme) => ({
          mt: 2,
          p: 1.5,
          borderRadius: 2,
          backgroundColor: theme.tokens.goldSoft,
          display: "flex",
          alignItems: "center",
          justifyContent: "space-between",
          gap: 1,
        })}
      >
        <Box sx={{ fontSize: 12, color: "text.secondary" }}>
          {grade === "free"
            ? "会员可享更大空间与更多处理次数"
            : `有效期至 ${expires ? dayjs(expires).format("YYYY-MM-DD") : "—"}`}
          <Box sx={{ mt: 0.25 }}>
            <TextLink to="/pricePage#compare" onClick={close}>
              查看会员权益
            </TextLink>
          </Box>
        </Box>
        <Button
          onClick={() => {
            close();
            shop.buy();
          }}
          size="small"
          variant="contained"
          sx={{
            flex: "none",
            ...goldButton,
          }}
        >
          {grade === "free" ? "开通会员" : "续费升级"}
        </Button>
      </Box>

      <Box sx={{ mt: 2, display: "flex", alignItems: "center", gap: 1, fontSize: 12 }}>
        <StatusTag tone={realName.tone}>{realName.text}</StatusTag>
        {realName.action && (
          <TextLink to={realName.action.to} onClick={close}>
            {realName.action.text}
          </TextLink>
        )}
      </Box>

      <Box sx={{ mt: 2, display: "flex", gap: 2 }}>
        <Balance
          title="云币余额（元）"
          cents={account?.cloudCoin ?? info?.cloudCoin ?? 0}
          to={`${ACCOUNT}/accountRecharge`}
          act="充值"
          close={close}
        />
        <Balance
          title="收入余额（元）"
          cents={account?.incomeBalance ?? info?.incomeBalance ?? 0}
          to={`${ACCOUNT}/accountWithdrawals`}
          act="提现"
          close={close}
        />
      </Box>

      <Box
        component="nav"
        aria-label="我的"
        sx={{
          mt: 1.5,
          mx: -1,
          pt: 1,
          borderTop: 1,
          borderColor: "divider",
          display: "grid",
        }}
      >
        <Entry to="/workbench" text="我的工作台" close={close} />
        <Entry
          to={`${ACCOUNT}/accoInforIndex`}
          text="我的账户（优惠券）"
          count={info?.couponCount ?? 0}
          close={close}
        />
        <Entry
          to="/workbench/myOrder"
          text="我的订单（待付款）"
          count={info?.unPayOrderCount ?? 0}
          close={close}
        />
        <Entry to={`${ACCOUNT}/myConcern`} text="我的关注" close={close} />
        <Entry to="/workbench/modelFavorites" text="我的收藏" close={close} />
        <Entry
          to="/workbench/myMessage"
          text="我的消息（未读）"
          count={info?.unReadMessageCount ?? 0}
          close={close}
        />
        <ButtonBase
          disableRipple
          onClick={leave}
          sx={{
            justifyContent: "flex-start",
            px: 1.5,
            height: 40,
            borderRadius: "4px",
            fontSize: 14,
            color: "text.secondary",
            "&:hover, &:focus-visible": { backgroundColor: "action.hover" },
          }}
        >
          退出登录
        </ButtonBase>
      </Box>
    </Box>
  );
}
