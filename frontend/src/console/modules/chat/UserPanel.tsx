import Box from "@mui/material/Box";
import { isAbsent } from "../../api/envelope";
import { useChatConversationQuery } from "../../api/generated/personal";
import { moment } from "../../kit/format";
import { Timeline } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { Loaded, Nothing } from "../../kit/states";
import { pathOf } from "./lines";

const SHOWN = 3;

/** The last lines of the conversation with one user. */
export default function UserPanel({ loginId }: { loginId: string }) {
  const query = useChatConversationQuery({ loginId }, { refetchOnMountOrArgChange: true });
  if (isAbsent(query.error)) return <Nothing title="还没有会话" />;
  return (
    <Loaded query={query} what="会话">
      {({ conversation, lines }) =>
        lines.length === 0 ? (
          <Nothing title="还没有会话" />
        ) : (
          <Box sx={{ p: 2 }}>
            <Timeline
              entries={lines
                .slice(-SHOWN)
                .reverse()
                .map((line) => ({
                  id: line.id,
                  time: moment(line.createdAt),
                  title: line.operator || conversation.nickname || "用户",
                  detail: line.content,
                }))}
            />
            <Box sx={{ mt: 2, fontSize: 13 }}>
              <RowLink to={pathOf(loginId)}>打开会话</RowLink>
            </Box>
          </Box>
        )
      }
    </Loaded>
  );
}
