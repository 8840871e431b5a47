import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { type OrderPackage, useCreatePackageOrderMutation, usePackageListQuery } from "@/calls/order";
import { useShop } from "@/shop";
import { EmptyState } from "@/ui/EmptyState";
import { Price } from "@/ui/Price";
import { ReadFailed } from "@/ui/ReadFailed";
import { CardGridSkeleton } from "@/ui/Skeletons";

function Offer({ offer }: { offer: OrderPackage }) {
  const shop = useShop();
  const [create, creating] = useCreatePackageOrderMutation();

  async function buy() {
    const { data } = await create({ packageId: offer.id });
    if (data) shop.pay(data.orderId);
  }

  return (
    <Box
      component="article"
      aria-label={offer.name}
      sx={{ p: 2.5, border: 1, borderColor: "divider", borderRadius: 2, display: "grid", gap: 1.5 }}
    >
      <Box component="h3" sx={{ m: 0, fontSize: 16, lineHeight: "24px", fontWeight: 600 }}>
        {offer.name}
      </Box>
      <Box sx={{ fontSize: 14, lineHeight: "22px", color: "text.secondary" }}>
        增加 {offer.storageGb.toLocaleString("zh-CN")} GB 存储，有效期 {offer.months} 个月
      </Box>
      <Box sx={{ display: "flex", alignItems: "center", justifyContent: "space-between", gap: 2 }}>
        <Price cents={offer.price} size={28} trim />
        <Button
          variant="contained"
          loading={creating.isLoading}
          aria-label={`购买${offer.name}`}
          onClick={() => void buy()}
        >
          购买
        </Button>
      </Box>
    </Box>
  );
}

/** The packages on sale, each with a button that opens the payment. */
export function Offered() {
  const list = usePackageListQuery({});
  return (
    <Box sx={{ p: 2.5, borderTop: 1, borderColor: "divider" }}>
      {list.isLoading ? (
        <CardGridSkeleton count={2} />
      ) : list.isError ? (
        <ReadFailed what="套餐" onRetry={list.refetch} />
      ) : (list.data ?? []).length === 0 ? (
        <EmptyState kind="results" title="暂时没有在售的套餐" />
      ) : (
        <Box
          sx={{
            display: "grid",
            gap: 2,
            gridTemplateColumns: { xs: "minmax(0,1fr)", sm: "repeat(auto-fill, minmax(280px, 1fr))" },
          }}
        >
          {list.data?.map((offer) => (
            <Offer key={offer.id} offer={offer} />
          ))}
        </Box>
      )}
    </Box>
  );
}
