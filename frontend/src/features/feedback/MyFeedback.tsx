import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import dayjs from "dayjs";
import { type PersonalFeedback, useMyFeedbackQuery } from "@/calls/personal";
import { ListPage, useListState } from "@/ui/list";
import { TableSkeleton } from "@/ui/Skeletons";
import { StatusTag } from "@/ui/StatusTag";
import { STATES, typeText } from "./rules";

const timeText = (ms: number) => dayjs(ms).format("YYYY-MM-DD HH:mm");

function Entry({ item }: { item: PersonalFeedback }) {
  return (
    <Box
      component="li"
      sx={{ py: 2, "&:first-of-type": { pt: 0 }, "& + &": { borderTop: 1, borderColor: "divider" } }}
    >
      <Box sx={{ display: "flex", alignItems: "center", gap: 1, fontSize: 12, color: "text.secondary" }}>
        <span>{typeText(item.feedbackType)}</span>
        <Box component="time" className="tabular" sx={{ flex: 1 }}>
          {timeText(item.createTime)}
        </Box>
        <StatusTag tone={item.state === "answered" ? "success" : "neutral"}>
          {STATES[item.state] ?? item.state}
        </StatusTag>
      </Box>
      <Box sx={{ mt: 1, whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{item.feedbackContent}</Box>
      {item.pictures.length > 0 && (
        <Box sx={{ mt: 1, display: "flex", flexWrap: "wrap", gap: 1 }}>
          {item.pictures.map((address, index) => (
            <a key={address} href={address} target="_blank" rel="noopener noreferrer">
              <Box
                component="img"
                src={address}
                alt={`图片 ${index + 1}`}
                loading="lazy"
                sx={{ width: 72, height: 72, objectFit: "cover", borderRadius: 1, display: "block" }}
              />
            </a>
          ))}
        </Box>
      )}
      {item.annexUrl && (
        <Link href={item.annexUrl} sx={{ display: "block", mt: 1, overflowWrap: "anywhere" }}>
          {`下载附件 ${item.annexName}`}
        </Link>
      )}
      {item.replies.map((reply) => (
        <Box
          key={`${reply.createTime}${reply.content}`}
          sx={{ mt: 1.5, p: 1.5, borderRadius: 1, backgroundColor: "background.default" }}
        >
          <Box
            sx={{ fontSize: 12, color: "text.secondary" }}
          >{`客服回复 · ${timeText(reply.createTime)}`}</Box>
          <Box sx={{ mt: 0.5, whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{reply.content}</Box>
        </Box>
      ))}
    </Box>
  );
}

/** The user's feedback with the replies. */
export function MyFeedback() {
  const list = useListState({ pageSize: 10 });
  const feedback = useMyFeedbackQuery(list.request, { refetchOnMountOrArgChange: true });
  return (
    <ListPage
      dense
      what="反馈记录"
      query={feedback}
      list={list}
      skeleton={<TableSkeleton rows={3} columns={2} />}
      empty={{ kind: "results", title: "还没有提交过反馈", hint: "提交后可以在这里看到回复。" }}
    >
      {(rows) => (
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: "none" }}>
          {rows.map((item) => (
            <Entry key={item.id} item={item} />
          ))}
        </Box>
      )}
    </ListPage>
  );
}
