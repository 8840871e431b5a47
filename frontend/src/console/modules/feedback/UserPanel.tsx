import Box from "@mui/material/Box";
import { DataTable } from "@/ui/DataTable";
import { useFeedbackListQuery } from "../../api/generated/personal";
import { RowLink } from "../../kit/RowLink";
import { Loaded, Nothing } from "../../kit/states";
import { OF_ONE } from "./columns";

const SHOWN = 5;

/** Feedback of one user. */
export default function UserPanel({ loginId }: { loginId: string }) {
  const query = useFeedbackListQuery({ loginId, size: SHOWN }, { refetchOnMountOrArgChange: true });
  return (
    <Loaded query={query} what="反馈">
      {({ items, next }) => (
        <>
          <DataTable
            caption="该用户的反馈"
            columns={OF_ONE}
            rows={items}
            rowKey={({ id }) => id}
            empty={<Nothing title="没有提交过反馈" />}
          />
          {next && (
            <Box sx={{ p: 2, fontSize: 13 }}>
              <RowLink to={`/feedback?loginId=${encodeURIComponent(loginId)}`}>查看全部反馈</RowLink>
            </Box>
          )}
        </>
      )}
    </Loaded>
  );
}
