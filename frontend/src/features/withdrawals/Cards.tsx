import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import { useState } from "react";
import { Link } from "react-router";
import { type PaymentBankCard, useDeletCardMutation } from "@/calls/payment";
import { useQueryInfoQuery } from "@/calls/personal";
import { useSession } from "@/session";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { toast } from "@/ui/toast";
import { CardDialog } from "./CardDialog";
import { cardName } from "./rules";

/** `checkStatus` of a certified account. */
const CERTIFIED = 1;
const INFORMATION = "/workbench/information";

/** The user's cards with their actions, and a button to add one. */
export function Cards({
  cards,
  most,
  loading,
}: {
  cards: readonly PaymentBankCard[];
  most: number;
  loading: boolean;
}) {
  const { loginId: userId } = useSession();
  const person = useQueryInfoQuery({ userId });
  const certified = person.data?.checkStatus === CERTIFIED;
  const [editing, setEditing] = useState<PaymentBankCard | "new">();
  const [leaving, setLeaving] = useState<PaymentBankCard>();
  const [remove] = useDeletCardMutation();
  if (loading)
    return (
      <Skeleton variant="rounded" height={72} sx={{ m: 2.5, mt: 0 }} role="status" aria-label="正在读取" />
    );
  return (
    <Box sx={{ p: 2.5, pt: 0 }}>
      <Box component="ul" aria-label="银行卡" sx={{ m: 0, p: 0, listStyle: "none" }}>
        {cards.map((card) => (
          <Box
            key={card.id}
            component="li"
            sx={{
              py: 1.5,
              borderTop: 1,
              borderColor: "divider",
              display: "flex",
              flexWrap: "wrap",
              gap: 1,
              alignItems: "center",
            }}
          >
            <Box sx={{ flex: 1, minWidth: 180 }}>
              <Box sx={{ fontWeight: 600 }}>{cardName(card)}</Box>
              <Box sx={{ fontSize: 13, color: "text.secondary", overflowWrap: "anywhere" }}>
                {[card.holder, card.branch].filter(Boolean).join(" · ")}
              </Box>
            </Box>
            <Button size="small" aria-label={`更换 ${cardName(card)}`} onClick={() => setEditing(card)}>
              更换
            </Button>
            <Button
              size="small"
              color="inherit"
              aria-label={`解绑 ${cardName(card)}`}
              onClick={() => setLeaving(card)}
            >
              解绑
            </Button>
          </Box>
        ))}
      </Box>
      {cards.length === 0 && (
        <Box sx={{ color: "text.secondary" }}>
          {certified || !person.data ? (
            "还没有银行卡。绑定本人的储蓄卡后可以提现。"
          ) : (
            <>
              绑定银行卡前需要实名认证，持卡人须与认证姓名一致。
              <Box component={Link} to={INFORMATION} sx={{ color: "primary.main" }}>
                去认证
              </Box>
            </>
          )}
        </Box>
      )}
      <Button
        variant="outlined"
        sx={{ mt: 2 }}
        disabled={!certified || cards.length >= most}
        onClick={() => setEditing("new")}
      >
        绑定银行卡
      </Button>
      {cards.length > 0 && cards.length >= most && (
        <Box sx={{ mt: 1, fontSize: 12, color: "text.secondary" }}>最多绑定 {most} 张银行卡</Box>
      )}
      {editing && (
        <CardDialog current={editing === "new" ? undefined : editing} onClose={() => setEditing(undefined)} />
      )}
      <ConfirmDialog
        open={leaving !== undefined}
        title={`解绑 ${leaving ? cardName(leaving) : ""}`}
        confirmText="解绑"
        danger
        onClose={() => setLeaving(undefined)}
        onConfirm={async () => {
          const answer = await remove({ userId, cardId: leaving?.id ?? "" });
          setLeaving(undefined);
          if (!answer.error) toast.success("银行卡已解绑");
        }}
      >
        解绑后不能再提现到这张卡，提现记录仍然保留。
      </ConfirmDialog>
    </Box>
  );
}
