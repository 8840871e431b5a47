import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import { useState } from "react";
import { NavLink, useParams } from "react-router";
import { StatusTag } from "@/ui/StatusTag";
import { type PersonalChatItem, useChatListQuery } from "../../api/generated/personal";
import { ago, count } from "../../kit/format";
import { OnePageContext } from "../../kit/onePage";
import { Card, PageTitle } from "../../kit/page";
import { Loaded, Nothing } from "../../kit/states";
import { usePolling } from "../../kit/usePolling";
import { Conversation } from "./Conversation";
import { pathOf } from "./lines";

const PAGE = 50;

/** Conversations with users: at the left sorted by waiting time, the selected one beside. */
export default function ChatPage() {
  const { loginId } = useParams();
  // its list and its conversation stand below a heading of the page's own
  return (
    <OnePageContext value={undefined}>
      <PageTitle
        title={loginId ? "会话" : "在线客服"}
        back={loginId ? { to: "/chat", text: "在线客服" } : undefined}
        note="用户打开的页面会立即显示回复"
      />
      <Box
        sx={{
          display: "grid",
          gap: 2,
          alignItems: "start",
          gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "320px minmax(0, 1fr)" },
        }}
      >
        <Box sx={{ display: { xs: loginId ? "none" : "block", md: "block" }, minWidth: 0 }}>
          <Conversations />
        </Box>
        {loginId ? (
          <Conversation key={loginId} loginId={loginId} />
        ) : (
          <Box sx={{ display: { xs: "none", md: "block" } }}>
            <Nothing title="选择一个会话" hint="等待最久的排在最前。" />
          </Box>
        )}
      </Box>
    </OnePageContext>
  );
}

function Conversations() {
  const [waiting, setWaiting] = useState(false);
  const [pages, setPages] = useState<readonly string[]>([""]);
  const after = pages.at(-1) ?? "";
  const query = useChatListQuery(
    { waiting, after, size: PAGE },
    { refetchOnMountOrArgChange: true, ...usePolling(5_000) },
  );
  const { currentData: data, error, isFetching, refetch } = query;
  return (
    <Card
      title={data ? `${count(data.waiting)} 人等待回复` : "会话"}
      flush
      aside={
        <FormControlLabel
          control={
            <Checkbox
              size="small"
              checked={waiting}
              onChange={(_event, checked) => {
                setWaiting(checked);
                setPages([""]);
              }}
            />
          }
          label="只看等待的"
          slotProps={{ typography: { sx: { fontSize: 13 } } }}
          sx={{ mr: 0 }}
        />
      }
    >
      <Loaded query={{ data, error, isFetching, refetch }} what="会话">
        {({ conversations, next }) => (
          <>
            {conversations.length === 0 && (
              <Nothing title={waiting ? "没有等待回复的会话" : "没有进行中的会话"} />
            )}
            <Box component="ul" aria-label="会话" sx={{ m: 0, p: 0, listStyle: "none" }}>
              {conversations.map((one) => (
                <Row key={one.loginId} one={one} />
              ))}
            </Box>
            {(pages.length > 1 || next) && (
              <Box sx={{ display: "flex", justifyContent: "flex-end", gap: 1, p: 1 }}>
                <Button
                  size="small"
                  color="inherit"
                  disabled={pages.length === 1}
                  onClick={() => setPages(pages.slice(0, -1))}
                >
                  上一页
                </Button>
                <Button
                  size="small"
                  color="inherit"
                  disabled={!next}
                  onClick={() => setPages([...pages, next])}
                >
                  下一页
                </Button>
              </Box>
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}

function Row({ one }: { one: PersonalChatItem }) {
  return (
    <Box component="li" sx={{ "& + &": { borderTop: 1, borderColor: "divider" } }}>
      <Box
        component={NavLink}
        to={pathOf(one.loginId)}
        sx={{
          display: "block",
          px: 2,
          py: 1,
          color: "text.primary",
          textDecoration: "none",
          fontSize: 13,
          "&:hover": { backgroundColor: "action.hover" },
          "&[aria-current]": { backgroundColor: "action.selected" },
          "&:focus-visible": { outlineOffset: "-2px" },
        }}
      >
        <Box sx={{ display: "flex", gap: 1, alignItems: "center" }}>
          <Box sx={{ fontWeight: 500, flex: 1, minWidth: 0, overflow: "hidden", textOverflow: "ellipsis" }}>
            {one.nickname || one.loginId}
          </Box>
          {one.waitingSince > 0 ? (
            <StatusTag tone="warning">{`等待 ${ago(one.waitingSince).replace(/前$/, "")}`}</StatusTag>
          ) : (
            <Box component="span" sx={{ fontSize: 12, color: "text.secondary" }}>
              {ago(one.lastAt)}
            </Box>
          )}
        </Box>
        <Box
          sx={{ color: "text.secondary", whiteSpace: "nowrap", overflow: "hidden", textOverflow: "ellipsis" }}
        >
          {one.lastLine}
        </Box>
      </Box>
    </Box>
  );
}
