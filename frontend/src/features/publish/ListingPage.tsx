import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useEffect, useState } from "react";
import { Link as RouterLink, useSearchParams } from "react-router";
import { type TransactionMakerListing, useMyListingQuery } from "@/calls/listings";
import { readLoginId, useSession } from "@/session";
import { EmptyState } from "@/ui/EmptyState";
import ArrowBack from "@/ui/icons/ArrowBack";
import { PageHeader } from "@/ui/PageHeader";
import { ReadFailed } from "@/ui/ReadFailed";
import { LinesSkeleton } from "@/ui/Skeletons";
import { StatusTag } from "@/ui/StatusTag";
import { useLeaving } from "@/ui/useLeaving";
import { Acts } from "./Acts";
import { Frozen } from "./Frozen";
import { Records, Versions } from "./History";
import { ListingForm } from "./ListingForm";
import { Notice } from "./Notice";
import { isReleased, mallPath, stateWord } from "./words";

const POLL_MS = 5_000;

/** One of the maker's listings: form, preview and history. */
export function ListingPage() {
  const { loginId } = useSession();
  const [query] = useSearchParams();
  const listingId = query.get("listingId") ?? "";
  const [making, setMaking] = useState(false);
  const { currentData, isError, isFetching, refetch } = useMyListingQuery(
    { userId: loginId, listingId },
    {
      skip: listingId === "" || loginId === "",
      refetchOnMountOrArgChange: true,
      pollingInterval: making ? POLL_MS : 0,
    },
  );
  const state = currentData?.versionState;
  useEffect(() => setMaking(state === "making"), [state]);
  if (listingId === "")
    return (
      <EmptyState
        heading="h1"
        kind="search"
        title="没有指定要编辑的模型"
        hint="请从“待发布模型”中选择一个。"
        action={
          <Button component={RouterLink} to="/publishCenter/toBeReleased" variant="contained">
            前往待发布模型
          </Button>
        }
      />
    );
  if (isError && !currentData && !isFetching)
    return <ReadFailed what="模型" onRetry={() => void refetch()} />;
  if (!currentData)
    return (
      <>
        <PageHeader title="发布详情" />
        <LinesSkeleton lines={10} />
      </>
    );
  return (
    <Loaded
      key={listingId}
      found={currentData}
      onReread={async () => {
        const { data } = await refetch();
        return data;
      }}
    />
  );
}

/** Whoever has signed out can no longer save. */
const signedInStill = () => readLoginId() !== "";

function Loaded({
  found,
  onReread,
}: {
  found: TransactionMakerListing;
  onReread: () => Promise<TransactionMakerListing | undefined>;
}) {
  const [writing, setWriting] = useState(false);
  const { leaving, saved } = useLeaving(writing, { field: "listingId", keeps: signedInStill });
  // The form begins anew when what it holds was given up; otherwise it keeps unsaved input, whatever is read.
  const [discarded, setDiscarded] = useState(0);
  const { text, tone } = stateWord(found);
  const back = isReleased(found)
    ? { to: "/publishCenter/toBeReleased?isRelase=true", text: "已发布模型" }
    : { to: "/publishCenter/toBeReleased", text: "待发布模型" };
  return (
    <>
      <Frozen />
      <Button
        component={RouterLink}
        to={back.to}
        color="inherit"
        size="small"
        startIcon={<ArrowBack />}
        sx={{ mb: 1, ml: -1 }}
      >
        {back.text}
      </Button>
      <PageHeader
        title={
          <Box
            component="span"
            sx={{
              display: "flex",
              flexWrap: "wrap",
              alignItems: "center",
              gap: 1.5,
              overflowWrap: "anywhere",
            }}
          >
            {found.listing.name}
            <StatusTag tone={tone}>{text}</StatusTag>
          </Box>
        }
        actions={
          <>
            {found.state === "listed" && (
              <Button component={RouterLink} to={mallPath(found.listing.listingId)}>
                在商城查看
              </Button>
            )}
            <Acts found={found} onDeleted={saved} onDiscarded={() => setDiscarded((times) => times + 1)} />
          </>
        }
      />
      <Box sx={{ display: "grid", gap: 3, gridTemplateColumns: "minmax(0, 1fr)" }}>
        <Notice listing={found} />
        <ListingForm key={discarded} found={found} onOvertaken={onReread} onWriting={setWriting} />
        <Box
          sx={{
            display: "grid",
            gap: 3,
            alignItems: "start",
            gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "repeat(2, minmax(0, 1fr))" },
          }}
        >
          <Versions versions={found.versions} />
          <Records records={found.records} />
        </Box>
      </Box>
      {leaving}
    </>
  );
}
