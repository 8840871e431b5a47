import Box from "@mui/material/Box";
import { useModelListQuery } from "@/calls/transaction";
import { Cards, SearchBox } from "@/features/mall";
import { CardsWaiting } from "@/ui/CardGrid";
import { EmptyState } from "@/ui/EmptyState";
import { ReadFailed } from "@/ui/ReadFailed";

const SHOWN = 8;

/** The mall's search, with some free models. */
export function LibraryTool() {
  const { data, isError, refetch } = useModelListQuery({
    free: "true",
    sort: "rating",
    pageNo: 1,
    pageSize: SHOWN,
  });
  return (
    <>
      <SearchBox />
      <Box sx={{ mt: 3 }}>
        {isError && <ReadFailed dense what="免费模型" onRetry={() => void refetch()} />}
        {!isError && !data && <CardsWaiting count={SHOWN} />}
        {data?.results.length === 0 && (
          <EmptyState dense title="还没有免费模型" hint="有新模型上架时会出现在这里。" />
        )}
        {data && data.results.length > 0 && <Cards listings={data.results} label="免费模型" />}
      </Box>
    </>
  );
}
