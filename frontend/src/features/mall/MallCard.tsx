import Box from "@mui/material/Box";
import type { TransactionListing } from "@/calls/transaction";
import { Heart } from "@/features/favourites";
import { licenseOf, originOf } from "@/messages/licenses";
import { calledBy } from "@/session";
import { modelPath } from "@/shop/paths";
import { CardGrid } from "@/ui/CardGrid";
import { ModelCard } from "@/ui/ModelCard";
import { shortCount } from "@/ui/numbers";
import { Price } from "@/ui/Price";
import { averageText } from "./words";

export function PriceOf({ cents, size = 18 }: { cents: number; size?: number }) {
  if (cents > 0)
    return (
      <Box component="span" sx={{ color: "text.primary" }}>
        <Price cents={cents} size={size} trim />
      </Box>
    );
  return (
    <Box
      component="span"
      sx={(theme) => ({ fontSize: size - 2, fontWeight: 600, color: theme.tokens.accentText })}
    >
      免费
    </Box>
  );
}

/** 5,844 面, and 1.3 万面. */
const trianglesText = (count: number) => `${shortCount(count)} 面`.replace(/([万亿]) /, "$1");

/** `eager`: one of the first cards, whose picture is the largest of the page (LCP). */
export function MallCard({ listing, eager }: { listing: TransactionListing; eager?: boolean }) {
  return (
    <Box sx={{ position: "relative" }}>
      <ModelCard
        to={modelPath(listing.listingId)}
        name={listing.name}
        picture={listing.thumbUrl}
        turning={listing.turntableUrl}
        eager={eager}
        note={`${calledBy(listing.sellerName, listing.seller)} · ${licenseOf(listing.license).title}`}
        facts={`${trianglesText(listing.triangles)} · 体检 ${listing.score} 分`}
        formats={listing.formats.slice(0, 3).map((format) => format.toUpperCase())}
        foot={
          <>
            <PriceOf cents={listing.price} />
            {listing.ratingCount > 0 && (
              <Box component="span" sx={{ ml: 1 }}>
                {`★ ${averageText(listing)}`}
              </Box>
            )}
          </>
        }
        badge={badgeOf(listing)}
      />
      <Heart small modelId={listing.listingId} name={listing.name} count={listing.favourites} />
    </Box>
  );
}

/** The most important fact for a buyer. */
function badgeOf(listing: TransactionListing): string | undefined {
  if (listing.origin === "ai") return originOf(listing.origin);
  return listing.animation ? "动画" : undefined;
}

export function Cards({
  listings,
  label,
  eager = 0,
}: {
  listings: readonly TransactionListing[];
  label: string;
  eager?: number;
}) {
  return (
    <CardGrid label={label}>
      {listings.map((listing, index) => (
        <li key={listing.listingId}>
          <MallCard listing={listing} eager={index < eager} />
        </li>
      ))}
    </CardGrid>
  );
}
