import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import Dialog from "@mui/material/Dialog";
import FormControlLabel from "@mui/material/FormControlLabel";
import IconButton from "@mui/material/IconButton";
import { useTheme } from "@mui/material/styles";
import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import useMediaQuery from "@mui/material/useMediaQuery";
import dayjs from "dayjs";
import { useId, useState } from "react";
import { messageOf, serverNow } from "@/api";
import {
  type OrderCoupon,
  type OrderMemberGrade,
  useCreateMemberOrderMutation,
  useSelectMemberGradeListQuery,
} from "@/calls/order";
import { GiftInPlace } from "@/features/coupons";
import { failureMessages } from "@/messages/failures";
import { shopMessages } from "@/messages/shop";
import { type PaidGrade, useShop } from "@/shop";
import { payable } from "@/shop/pricing";
import { payConfigured, purchaseClosed } from "@/shop/slice";
import { useAppDispatch, useAppSelector } from "@/store/hooks";
import { goldButton, golden } from "@/theme";
import CloseIcon from "@/ui/icons/CloseOutlined";
import { GRADE_NAMES, MemberBadge } from "@/ui/MemberBadge";
import { Price } from "@/ui/Price";
import { ReadFailed } from "@/ui/ReadFailed";
import { LinesSkeleton } from "@/ui/Skeletons";
import { AnnualCard } from "./AnnualCard";
import { CompareDialog } from "./CompareDialog";
import { effectOf, firstTab, gradeBehind, PAID_GRADES, privilegesOf, purchaseBlock } from "./rules";
import { useGrade } from "./useGrade";

/** Only annual cards exist. */
const ANNUAL = 0;
const LINK = { color: "primary.main", textDecoration: "none", "&:hover": { textDecoration: "underline" } };

function Privileges({ grade }: { grade: OrderMemberGrade }) {
  return (
    <Box
      component="dl"
      aria-label={`${grade.name}权益`}
      sx={{
        m: 0,
        display: "grid",
        gridTemplateColumns: { xs: "1fr 1fr", sm: "1fr 1fr 1fr" },
        columnGap: 2,
        rowGap: 1.75,
      }}
    >
      {privilegesOf(grade).map((one) => (
        <Box key={one.title} sx={{ minWidth: 0 }}>
          <Box component="dt" sx={{ fontSize: 12, lineHeight: "18px", color: "text.secondary" }}>
            {one.title}
          </Box>
          <Box component="dd" sx={{ m: 0, fontWeight: 500, fontVariantNumeric: "tabular-nums" }}>
            {one.value}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

function Standing() {
  const { grade, expires } = useGrade();
  if (grade === "free") return <>年卡，开通后立即生效</>;
  return (
    <Box sx={{ display: "flex", alignItems: "center", flexWrap: "wrap", gap: 1 }}>
      <MemberBadge grade={grade} />
      <span>有效期至 {expires ? dayjs(expires).format("YYYY-MM-DD") : "—"}</span>
    </Box>
  );
}

/** Purchase of a membership: grade, annual card, agreement; then creates the order and opens the payment. */
export function PurchaseDialog({ onRefused }: { onRefused: (message: string) => void }) {
  const dispatch = useAppDispatch();
  const { open, grade: asked } = useAppSelector((state) => state.shop.purchase);
  const { grade: current, expires, known } = useGrade();
  const list = useSelectMemberGradeListQuery({}, { skip: !open });
  const [create, creating] = useCreateMemberOrderMutation();
  const shop = useShop();
  const [chosen, setChosen] = useState<PaidGrade>();
  const [agreed, setAgreed] = useState(false);
  const [tried, setTried] = useState(false);
  const [held, setHeld] = useState<OrderCoupon>();
  const [comparing, setComparing] = useState(false);
  const id = useId();
  const theme = useTheme();
  const narrow = useMediaQuery(theme.breakpoints.down("sm"));

  const tab = chosen ?? firstTab(asked, current);
  const grade = gradeBehind(list.data, tab);
  const block = purchaseBlock(tab, current);
  // A coupon chosen for a more expensive grade may not fit a cheaper one.
  const coupon = grade && held && held.minAmount <= grade.annualFee ? held : undefined;

  const close = () => {
    dispatch(purchaseClosed());
    setChosen(undefined);
    setTried(false);
    setHeld(undefined);
  };

  async function confirm() {
    if (!grade) return;
    if (!agreed) {
      setTried(true);
      return;
    }
    const request = { memberGradeId: grade.id, isMonthly: ANNUAL };
    dispatch(payConfigured({ ...request, isMember: current !== "free", isNotJump: false }));
    const answer = await create(request);
    close();
    if (answer.data) shop.pay(answer.data.orderId, { couponId: coupon?.couponId });
    else onRefused(messageOf(answer.error) || failureMessages.network);
  }

  return (
    <>
      <Dialog
        open={open}
        onClose={creating.isLoading ? undefined : close}
        aria-labelledby={`${id}-title`}
        fullScreen={narrow}
        slotProps={{ paper: { sx: { width: { xs: "100%", sm: 640 }, maxWidth: "none !important" } } }}
      >
        <Box sx={{ px: { xs: 2, sm: 3 }, pt: 2.5, display: "flex", alignItems: "flex-start", gap: 2 }}>
          <Box sx={{ flex: 1, minWidth: 0 }}>
            <Box
              component="h2"
              id={`${id}-title`}
              sx={{ m: 0, fontSize: 20, lineHeight: "30px", fontWeight: 600 }}
            >
              {shopMessages.purchaseTitle}
            </Box>
            <Box sx={{ mt: 0.5, fontSize: 12, lineHeight: "22px", color: "text.secondary" }}>
              <Standing />
            </Box>
          </Box>
          <IconButton aria-label="关闭" onClick={close} disabled={creating.isLoading} sx={{ mr: -1 }}>
            <CloseIcon />
          </IconButton>
        </Box>
        <Tabs
          value={tab}
          onChange={(_event, value: PaidGrade) => setChosen(value)}
          variant="fullWidth"
          aria-label="会员等级"
          sx={{ mx: { xs: 2, sm: 3 }, mt: 1, borderBottom: 1, borderColor: "divider", flex: "none" }}
        >
          {PAID_GRADES.map((one) => (
            <Tab
              key={one}
              value={one}
              id={`${id}-tab-${one}`}
              aria-controls={`${id}-panel`}
              label={GRADE_NAMES[one]}
            />
          ))}
        </Tabs>
        <Box
          role="tabpanel"
          id={`${id}-panel`}
          aria-labelledby={`${id}-tab-${tab}`}
          sx={{ px: { xs: 2, sm: 3 }, py: 2.5, overflowY: "auto", flex: 1 }}
        >
          {list.isLoading || !known ? (
            <LinesSkeleton lines={7} />
          ) : !grade ? (
            <ReadFailed dense what="会员价格" onRetry={list.refetch} />
          ) : (
            <>
              <AnnualCard key={tab} grade={grade} />
              {!block && (
                <Box
                  data-testid="effect"
                  sx={{ mt: 1, fontSize: 12, lineHeight: "20px", color: "text.secondary" }}
                >
                  {effectOf(tab, current, expires, serverNow())}
                </Box>
              )}
              {!block && <GiftInPlace cents={grade.annualFee} chosen={coupon} onChoose={setHeld} />}
              <Box
                sx={{
                  mt: 3,
                  mb: 1.5,
                  display: "flex",
                  justifyContent: "space-between",
                  alignItems: "baseline",
                }}
              >
                <Box component="h3" sx={{ m: 0, fontSize: 14, fontWeight: 600 }}>
                  会员权益
                </Box>
                <Button size="small" onClick={() => setComparing(true)} sx={{ mr: -1 }}>
                  对比会员权益
                </Button>
              </Box>
              <Privileges grade={grade} />
              <Box sx={{ mt: 2, fontSize: 12, lineHeight: "20px", color: "text.secondary" }}>
                {shopMessages.freeNowNote}
                {shopMessages.memberNowNote}
              </Box>
            </>
          )}
        </Box>
        <Box sx={{ px: { xs: 2, sm: 3 }, py: 2, borderTop: 1, borderColor: "divider", flex: "none" }}>
          <Box sx={{ display: "flex", alignItems: "center", flexWrap: "wrap", fontSize: 12 }}>
            <FormControlLabel
              control={
                <Checkbox
                  size="small"
                  checked={agreed}
                  onChange={(event) => {
                    setAgreed(event.target.checked);
                    setTried(false);
                  }}
                  slotProps={{ input: { "aria-describedby": tried ? `${id}-problem` : undefined } }}
                />
              }
              label="我已阅读并同意"
              slotProps={{ typography: { sx: { fontSize: 12 } } }}
              sx={{ mr: 0.5 }}
            />
            <Box component="a" href="/agreement" target="_blank" rel="noreferrer" sx={LINK}>
              《会员服务协议》
            </Box>
            <Box
              component="a"
              href="/helpCenter?id=member"
              target="_blank"
              rel="noreferrer"
              sx={{ ...LINK, ml: "auto" }}
            >
              帮助文档
            </Box>
          </Box>
          {tried && (
            <Box
              role="alert"
              id={`${id}-problem`}
              sx={{ fontSize: 12, lineHeight: "18px", color: "error.main" }}
            >
              {shopMessages.agreementRequired}
            </Box>
          )}
          <Box sx={{ mt: 1, display: "flex", alignItems: "center", gap: 2 }}>
            <Box sx={{ flex: 1, minWidth: 0 }}>
              <Box component="span" sx={{ fontSize: 12, color: "text.secondary", mr: 1 }}>
                应付金额
              </Box>
              <Box component="span" data-testid="payable" sx={{ color: golden.solid }}>
                {grade ? <Price cents={payable(grade.annualFee, coupon)} size={28} trim /> : "—"}
              </Box>
              {block && (
                <Box id={`${id}-block`} sx={{ fontSize: 12, lineHeight: "18px", color: "text.secondary" }}>
                  {block}
                </Box>
              )}
            </Box>
            <Button
              variant="contained"
              size="large"
              onClick={confirm}
              disabled={!grade || block !== undefined || !known}
              loading={creating.isLoading}
              aria-describedby={block ? `${id}-block` : undefined}
              sx={{
                flex: "none",
                ...goldButton,
              }}
            >
              确认支付
            </Button>
          </Box>
        </Box>
      </Dialog>
      <CompareDialog open={comparing} onClose={() => setComparing(false)} />
    </>
  );
}
