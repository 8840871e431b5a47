import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { useCheckCouponUpDeadlineSevenQuery, useCheckNeedMemberCouponUpQuery } from "@/calls/order";
import { useQueryInfoQuery } from "@/calls/personal";
import { useTurn } from "@/features/tour";
import { shopMessages } from "@/messages/shop";
import { useSession } from "@/session";
import { type DailyKind, doneToday, wasDoneToday } from "@/session/daily";
import { useShop } from "@/shop";
import { GIFT_COUNT, GIFT_YUAN, MY_COUPONS } from "./gift";

type Kind = Extract<DailyKind, "reminder" | "expiring" | "vipExpired">;

const TEXTS: Record<Kind, { title: string; text: string; act: string }> = {
  vipExpired: { title: "会员已到期", text: shopMessages.vipExpired, act: "立即续费" },
  expiring: {
    title: "优惠券即将到期",
    text: shopMessages.expiringText(GIFT_COUNT, GIFT_YUAN),
    act: "查看优惠券",
  },
  reminder: { title: "优惠券待使用", text: shopMessages.reminderText, act: "开通会员" },
};

/** Expired: 0 if the user once had a membership. */
const EXPIRED = 0;

/** Reminders, one at a time and each at most once a day; a reminder closed today is not requested again. */
export default function Reminders() {
  const { loginId } = useSession();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const shop = useShop();
  const [closed, setClosed] = useState<readonly Kind[]>(() =>
    (Object.keys(TEXTS) as Kind[]).filter((kind) => wasDoneToday(kind)),
  );
  const here = pathname === "/" || pathname === "/workbench" || pathname.startsWith("/workbench/account");
  const skip = (kind: Kind) => ({ skip: !here || closed.includes(kind) });
  const user = useQueryInfoQuery({ userId: loginId }, skip("vipExpired"));
  const expiring = useCheckCouponUpDeadlineSevenQuery({}, skip("expiring"));
  const reminder = useCheckNeedMemberCouponUpQuery({}, skip("reminder"));

  const due: Record<Kind, boolean> = {
    vipExpired: user.data?.memberStatus === EXPIRED,
    expiring: Boolean(expiring.data),
    reminder: Boolean(reminder.data),
  };
  const kind = (Object.keys(TEXTS) as Kind[]).find(
    (one) => due[one] && !closed.includes(one) && !wasDoneToday(one),
  );
  const turn = useTurn(kind !== undefined && here);
  if (!kind || !turn) return null;

  const close = () => {
    doneToday(kind);
    setClosed((old) => [...old, kind]);
  };
  const { title, text, act } = TEXTS[kind];
  return (
    <Dialog open onClose={close} maxWidth="xs" fullWidth aria-labelledby="reminder-title">
      <DialogTitle id="reminder-title">{title}</DialogTitle>
      <DialogContent>{text}</DialogContent>
      <DialogActions>
        <Button onClick={close} color="inherit">
          知道了
        </Button>
        <Button
          variant="contained"
          autoFocus
          onClick={() => {
            close();
            if (kind === "expiring") navigate(MY_COUPONS);
            else shop.buy();
          }}
        >
          {act}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
