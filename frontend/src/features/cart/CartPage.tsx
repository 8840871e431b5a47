import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import Skeleton from "@mui/material/Skeleton";
import { type ReactNode, useRef, useState } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { codeOf, messageOf } from "@/api";
import { REFUSED, useCreateCartOrderMutation } from "@/calls/order";
import {
  CART_PAGE,
  type TransactionCartItem,
  type TransactionCartList,
  useDelCartModelMutation,
  useGetCartListQuery,
} from "@/calls/transaction";
import { shopMessages } from "@/messages/shop";
import { useAuthDialog, useSession } from "@/session";
import { usePaid, useShop } from "@/shop";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { EmptyState } from "@/ui/EmptyState";
import { PageHeader } from "@/ui/PageHeader";
import { Price } from "@/ui/Price";
import { ReadFailed } from "@/ui/ReadFailed";
import { toast } from "@/ui/toast";
import { CartRow } from "./CartRow";
import { chosenOf, isOrdered } from "./choice";

const MINE = "/workbench/myModel?way=bought";

/**
 * The cart: items that can be ordered, selectable, and below them those that cannot, with the reason.
 *
 * @param foot pixels at the bottom of the window that the frame covers on a phone
 */
export function CartPage({ foot = 0 }: { foot?: number }) {
  const { signedIn } = useSession();
  const list = useGetCartListQuery(CART_PAGE, {
    skip: !signedIn,
    refetchOnMountOrArgChange: true,
  });
  const count = list.data?.totalCount ?? 0;
  const navigate = useNavigate();
  // Kept here, not in `Loaded`: the purchase empties the cart, which unmounts the list before the payment ends.
  const made = useRef("");
  usePaid((orderId) => {
    if (orderId !== made.current) return;
    toast.success(shopMessages.bought);
    void navigate(MINE);
  });
  return (
    <>
      <PageHeader
        title="购物车"
        note={signedIn && count > 0 ? `共 ${count} 个模型，价格以结算时为准` : undefined}
        actions={
          <Button component={Link} to="/transaction" variant="outlined">
            去模型商城
          </Button>
        }
      />
      {!signedIn ? (
        <Visitor />
      ) : list.data ? (
        list.data.results.length > 0 ? (
          <Loaded
            cart={list.data}
            foot={foot}
            onMade={(orderId) => {
              made.current = orderId;
            }}
          />
        ) : (
          <EmptyState title={shopMessages.cartEmpty} hint="看中的模型可以先放进来，再一起结算。" />
        )
      ) : list.isError ? (
        <ReadFailed what="购物车" onRetry={() => void list.refetch()} />
      ) : (
        <Waiting />
      )}
    </>
  );
}

function Visitor() {
  const auth = useAuthDialog();
  const { pathname, search } = useLocation();
  return (
    <EmptyState
      kind="closed"
      title="登录后查看购物车"
      action={
        <Button variant="contained" onClick={() => auth.open("login", { returnURL: `${pathname}${search}` })}>
          登录
        </Button>
      }
    />
  );
}

function Waiting() {
  return (
    <Frame>
      <Box role="status" aria-label="正在读取购物车">
        {["a", "b", "c"].map((key) => (
          <Box key={key} sx={{ display: "flex", alignItems: "center", gap: 2, px: 2, py: 1.5 }}>
            <Skeleton variant="rectangular" sx={{ width: 64, height: 64, borderRadius: 1, flex: "none" }} />
            <Box sx={{ flex: 1 }}>
              <Skeleton variant="text" sx={{ width: "40%" }} />
              <Skeleton variant="text" sx={{ width: "24%" }} />
            </Box>
            <Skeleton variant="text" sx={{ width: 72 }} />
          </Box>
        ))}
      </Box>
    </Frame>
  );
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <Box sx={{ border: 1, borderColor: "divider", borderRadius: 2, bgcolor: "background.paper" }}>
      {children}
    </Box>
  );
}

function Loaded({
  cart,
  foot,
  onMade,
}: {
  cart: TransactionCartList;
  foot: number;
  onMade: (orderId: string) => void;
}) {
  const { loginId } = useSession();
  const shop = useShop();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [leaving, setLeaving] = useState<readonly string[]>([]);
  const [refusal, setRefusal] = useState("");
  const [remove, removing] = useDelCartModelMutation();
  const [order, ordering] = useCreateCartOrderMutation();

  const orderable = cart.results.filter(isOrdered);
  const others = cart.results.filter((item) => !isOrdered(item));
  const { items, total } = chosenOf(cart, left);

  const choose = (ids: readonly string[], chosen: boolean) => {
    setRefusal("");
    setLeft((old) => {
      const next = new Set(old);
      for (const id of ids) {
        if (chosen) next.delete(id);
        else next.add(id);
      }
      return next;
    });
  };

  async function takeOut(ids: readonly string[]) {
    const { error } = await remove({ userId: loginId, modelId: ids.join(",") });
    setLeaving([]);
    if (error) return;
    setRefusal("");
    toast.success(shopMessages.cartRemoved);
  }
  /** Removing several items is confirmed: they are not collected again quickly. */
  const takeOutAll = (all: readonly TransactionCartItem[]) => {
    const ids = all.map(({ modelId }) => modelId);
    if (ids.length > 1) setLeaving(ids);
    else void takeOut(ids);
  };

  async function checkOut() {
    setRefusal("");
    const modelId = items.map((item) => item.modelId).join(",");
    const { data, error } = await order({ userId: loginId, modelId, total });
    if (data) {
      onMade(data.orderId);
      shop.pay(data.orderId, { isNotJump: true });
    } else if (codeOf(error) === REFUSED) setRefusal(messageOf(error));
  }

  return (
    <>
      {orderable.length > 0 && (
        <Frame>
          <Box
            sx={{
              display: "flex",
              alignItems: "center",
              justifyContent: "space-between",
              gap: 2,
              px: { xs: 1, md: 2 },
              py: 0.5,
              borderBottom: 1,
              borderColor: "divider",
            }}
          >
            <FormControlLabel
              control={
                <Checkbox
                  checked={items.length === orderable.length}
                  indeterminate={items.length > 0 && items.length < orderable.length}
                  onChange={(event) =>
                    choose(
                      orderable.map(({ modelId }) => modelId),
                      event.target.checked,
                    )
                  }
                />
              }
              label="全选"
              sx={{ ml: 0, mr: 0 }}
            />
            <Button
              size="small"
              color="inherit"
              disabled={items.length === 0 || removing.isLoading}
              onClick={() => takeOutAll(items)}
            >
              移出所选
            </Button>
          </Box>
          <Box component="ul" aria-label="可以结算的模型" sx={{ m: 0, p: 0, listStyle: "none" }}>
            {orderable.map((item) => (
              <CartRow
                key={item.modelId}
                item={item}
                chosen={!left.has(item.modelId)}
                busy={removing.isLoading}
                onChoose={(chosen) => choose([item.modelId], chosen)}
                onRemove={() => void takeOut([item.modelId])}
              />
            ))}
          </Box>
        </Frame>
      )}
      {others.length > 0 && (
        <Box component="section" sx={{ mt: orderable.length > 0 ? 3 : 0 }}>
          <Box sx={{ display: "flex", alignItems: "center", justifyContent: "space-between", mb: 1 }}>
            <Box component="h2" sx={{ m: 0, fontSize: 16, lineHeight: "24px", fontWeight: 600 }}>
              {`不在结算中（${others.length}）`}
            </Box>
            <Button
              size="small"
              color="inherit"
              disabled={removing.isLoading}
              onClick={() => takeOutAll(others)}
            >
              全部移出
            </Button>
          </Box>
          <Frame>
            <Box component="ul" aria-label="不在结算中的模型" sx={{ m: 0, p: 0, listStyle: "none" }}>
              {others.map((item) => (
                <CartRow
                  key={item.modelId}
                  item={item}
                  busy={removing.isLoading}
                  onRemove={() => void takeOut([item.modelId])}
                />
              ))}
            </Box>
          </Frame>
        </Box>
      )}
      <Box
        component="section"
        aria-label="结算"
        sx={{
          position: "sticky",
          bottom: { xs: `calc(${foot}px + env(safe-area-inset-bottom))`, md: 0 },
          zIndex: 2,
          mt: 3,
          mx: { xs: -2, md: 0 },
          px: 2,
          py: 1.5,
          borderTop: 1,
          border: { md: 1 },
          borderColor: { xs: "divider", md: "divider" },
          borderRadius: { md: 2 },
          bgcolor: "background.paper",
          boxShadow: "0 -4px 16px rgba(16, 24, 40, 0.06)",
        }}
      >
        {refusal && (
          <Box role="alert" sx={{ mb: 1, fontSize: 14, color: "error.main", overflowWrap: "anywhere" }}>
            {refusal}
          </Box>
        )}
        <Box sx={{ display: "flex", alignItems: "center", gap: 2 }}>
          <Box aria-live="polite" sx={{ flex: 1, minWidth: 0, textAlign: { md: "right" } }}>
            <Box component="span" sx={{ mr: 1.5, color: "text.secondary", whiteSpace: "nowrap" }}>
              {`已选 ${items.length} 个`}
            </Box>
            <Box component="span" sx={{ whiteSpace: "nowrap" }}>
              合计{" "}
              <Box component="span" data-testid="cart-total" sx={{ color: "primary.main" }}>
                <Price cents={total} size={24} />
              </Box>
            </Box>
          </Box>
          <Button
            variant="contained"
            size="large"
            loading={ordering.isLoading}
            disabled={items.length === 0}
            onClick={() => void checkOut()}
            sx={{ flex: "none", minWidth: { xs: 104, md: 144 } }}
          >
            结算
          </Button>
        </Box>
      </Box>
      <ConfirmDialog
        open={leaving.length > 0}
        title={`移出 ${leaving.length} 个模型？`}
        confirmText="移出"
        danger
        onConfirm={() => takeOut(leaving)}
        onClose={() => setLeaving([])}
      >
        移出后可以在模型商城重新加入。
      </ConfirmDialog>
    </>
  );
}
