import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import ButtonBase from "@mui/material/ButtonBase";
import { lazy, type ReactNode, Suspense } from "react";
import { Link } from "react-router";
import { Avatar, AvatarPanel } from "@/features/avatar";
import { useShop } from "@/shop";
import { golden } from "@/theme";
import { type Certified, CertifiedBadge } from "@/ui/CertifiedBadge";
import CouponIcon from "@/ui/icons/ConfirmationNumberOutlined";
import CartIcon from "@/ui/icons/ShoppingCartOutlined";
import { MegaMenu } from "@/ui/MegaMenu";
import type { Grade } from "@/ui/MemberBadge";
import { CART_PATH, COUPON_PATH, UPLOAD_PATH } from "./nav";

const MemberButton = lazy(() => import(/* webpackChunkName: "member-button" */ "./MemberButton"));

/** Link to the cart, with the number of models as a badge. */
function CartLink({ count }: { count?: number }) {
  return (
    <ButtonBase
      component={Link}
      to={CART_PATH}
      disableRipple
      title="购物车"
      aria-label={count === undefined ? "购物车" : `购物车，${count} 件`}
      sx={{ width: 40, height: 40, borderRadius: "4px", position: "relative", color: "inherit" }}
    >
      <CartIcon sx={{ fontSize: 20 }} />
      {count !== undefined && count > 0 && (
        <Box
          component="span"
          aria-hidden="true"
          sx={{
            position: "absolute",
            top: 2,
            right: 0,
            minWidth: 16,
            height: 16,
            px: "4px",
            borderRadius: 8,
            fontSize: 11,
            lineHeight: "16px",
            color: "#fff",
            backgroundColor: "error.main",
            fontVariantNumeric: "tabular-nums",
          }}
        >
          {count > 99 ? "99+" : count}
        </Box>
      )}
    </ButtonBase>
  );
}

/** Data of the signed-in user from the server. */
export interface KnownPerson {
  cartCount?: number;
  grade?: Grade;
  /** Expiry of the membership, Unix time in milliseconds. */
  expires?: number | null;
  avatar?: string | null;
  name?: string | null;
  certified?: Certified;
}

interface RightPartsProps extends Pick<KnownPerson, "cartCount" | "grade" | "expires"> {
  /** Sign-in links or account menu. */
  account: ReactNode;
}

export function RightParts({ cartCount, grade = "free", expires = null, account }: RightPartsProps) {
  const isMember = grade !== "free";
  const shop = useShop();
  return (
    <Box sx={{ display: "flex", alignItems: "center", height: "100%", gap: 0.5 }}>
      <CartLink count={cartCount} />
      {!isMember && (
        <Button
          size="small"
          onClick={() => shop.buy()}
          sx={{
            display: { xs: "none", lg: "inline-flex" },
            mx: 0.5,
            color: golden.text,
            backgroundColor: golden.soft,
            border: `1px solid ${golden.softLine}`,
            "&:hover": { backgroundColor: golden.softHover },
          }}
        >
          开通会员
        </Button>
      )}
      {isMember && (
        <Suspense fallback={null}>
          <MemberButton grade={grade} expires={expires} />
        </Suspense>
      )}
      <ButtonBase
        component={Link}
        to={COUPON_PATH}
        disableRipple
        sx={{
          display: { xs: "none", lg: "inline-flex" },
          px: 1,
          height: 40,
          gap: 0.5,
          color: "inherit",
          fontSize: 14,
        }}
      >
        <CouponIcon sx={{ fontSize: 18 }} />
        优惠券
      </ButtonBase>
      <Button
        component={Link}
        to={UPLOAD_PATH}
        variant="contained"
        size="small"
        sx={{ display: { xs: "none", sm: "inline-flex" }, mx: 1, minHeight: 36, whiteSpace: "nowrap" }}
      >
        上传模型
      </Button>
      {account}
    </Box>
  );
}

/** The avatar with its menu. */
export function AccountMenu({
  url,
  name,
  certified,
  unread,
}: {
  url: string;
  name: string;
  certified?: Certified;
  unread: boolean;
}) {
  return (
    <MegaMenu
      align="right"
      width={340}
      buttonLabel={unread ? "我的账号，有未读消息" : "我的账号"}
      label={
        <Box component="span" sx={{ position: "relative", display: "inline-flex" }}>
          <Avatar url={url} name={name} size={34} />
          <CertifiedBadge as={certified} mark="corner" />
          {unread && (
            <Box
              component="span"
              data-testid="unread-dot"
              sx={{
                position: "absolute",
                top: -1,
                right: -1,
                width: 10,
                height: 10,
                borderRadius: "50%",
                border: "2px solid",
                borderColor: "background.paper",
                backgroundColor: "error.main",
              }}
            />
          )}
        </Box>
      }
    >
      {(close) => (
        <Suspense fallback={<Box sx={{ p: 2, minHeight: 480 }} aria-busy="true" />}>
          <AvatarPanel close={close} />
        </Suspense>
      )}
    </MegaMenu>
  );
}
