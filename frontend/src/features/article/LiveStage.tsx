import Box from "@mui/material/Box";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { type TransactionListing, useModelDetailQuery } from "@/calls/transaction";
import { modelPath } from "@/shop/paths";
import { ModelPreview } from "@/viewer";

/** The mall's proxy of a model, which can be turned; the poster if there is none. */
export default function LiveStage({ listing, poster }: { listing: TransactionListing; poster: ReactNode }) {
  const { data } = useModelDetailQuery({ modelId: listing.listingId });
  if (!data?.proxyUrl) return poster;
  return (
    <>
      <ModelPreview url={data.proxyUrl} name={listing.name} />
      <Box
        component={Link}
        to={modelPath(listing.listingId)}
        sx={{
          position: "absolute",
          zIndex: 3,
          right: 12,
          bottom: 12,
          px: 1,
          fontSize: 12,
          lineHeight: "24px",
          borderRadius: "4px",
          color: "#E8ECF6",
          textDecoration: "none",
          backgroundColor: "rgba(11,16,32,.72)",
        }}
      >
        {`在商城查看：${listing.name}`}
      </Box>
    </>
  );
}
