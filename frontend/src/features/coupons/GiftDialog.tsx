import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { useState } from "react";
import { useNavigate } from "react-router";
import { useGetCombinationCouponsMutation } from "@/calls/order";
import { GIFT } from "@/facts/shop";
import { shopMessages } from "@/messages/shop";
import { doneToday } from "@/session/daily";
import { CouponTicket, dayText } from "./CouponTicket";
import { GIFT_COUNT, GIFT_VALID, GIFT_YUAN, MY_COUPONS } from "./gift";

/** The gift of three coupons: offers it, then links to the received coupons. */
export function GiftDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [receive, receiving] = useGetCombinationCouponsMutation();
  const [received, setReceived] = useState(false);
  const coupons = receiving.data;

  async function take() {
    const { data } = await receive({});
    if (!data) {
      // The reason was already reported; the banner checks again whether the gift is available.
      onClose();
      return;
    }
    // No reminder today about coupons that were just received.
    doneToday("reminder");
    setReceived(true);
  }

  return (
    <Dialog
      open
      onClose={receiving.isLoading ? undefined : onClose}
      aria-labelledby="gift-title"
      slotProps={{
        paper: { sx: { width: { xs: "calc(100% - 32px)", sm: 480 }, maxWidth: "none !important", m: 2 } },
      }}
    >
      <DialogTitle id="gift-title">
        <span role="status">{received ? shopMessages.received : `送您${GIFT_COUNT}张会员优惠券`}</span>
        <Box sx={{ mt: 0.5, fontSize: 12, lineHeight: "18px", fontWeight: 400, color: "text.secondary" }}>
          共 {GIFT_YUAN} 元，{GIFT_VALID}，仅限购买会员
        </Box>
      </DialogTitle>
      <DialogContent sx={{ display: "grid", gap: 1.5 }}>
        {GIFT.map((gift, index) => {
          const coupon = coupons?.[index];
          return (
            <CouponTicket
              key={gift.minAmount}
              worth={coupon?.faceValue ?? gift.faceValue}
              name={coupon?.name ?? gift.name}
              minAmount={coupon?.minAmount ?? gift.minAmount}
              until={coupon ? `${dayText(coupon.expireTime)} 到期` : GIFT_VALID}
            />
          );
        })}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} color="inherit" disabled={receiving.isLoading}>
          {received ? "关闭" : "以后再说"}
        </Button>
        {received ? (
          <Button
            variant="contained"
            autoFocus
            onClick={() => {
              onClose();
              navigate(MY_COUPONS);
            }}
          >
            {shopMessages.viewCoupons}
          </Button>
        ) : (
          <Button variant="contained" loading={receiving.isLoading} onClick={take} autoFocus>
            全部领取
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
