import Box from "@mui/material/Box";
import { DataTable } from "@/ui/DataTable";
import { useReviewListQuery } from "../../api/generated/personal";
import { RowLink } from "../../kit/RowLink";
import { Loaded, Nothing } from "../../kit/states";
import { OF_ONE } from "./columns";

const SHOWN = 5;

/** Decisions on one user's pictures and texts. */
export default function UserPanel({ loginId }: { loginId: string }) {
  const query = useReviewListQuery(
    { loginId, state: "decided", size: SHOWN },
    { refetchOnMountOrArgChange: true },
  );
  return (
    <Loaded query={query} what="审核记录">
      {({ items, next }) => (
        <>
          <DataTable
            caption="该用户的审核记录"
            columns={OF_ONE}
            rows={items}
            rowKey={({ id }) => id}
            empty={<Nothing title="没有审核记录" />}
          />
          {next && (
            <Box sx={{ p: 2, fontSize: 13 }}>
              <RowLink to={`/review?state=decided&loginId=${encodeURIComponent(loginId)}`}>查看全部</RowLink>
            </Box>
          )}
        </>
      )}
    </Loaded>
  );
}
