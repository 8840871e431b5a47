import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import dayjs from "dayjs";
import type { PersonalUserMessage } from "@/calls/personal";
import { leadOf } from "@/ui/leadOf";
import { FoldedText } from "./FoldedText";
import { ANNOUNCEMENT } from "./groups";

interface MessageRowProps {
  message: PersonalUserMessage;
  busy: boolean;
  onRead: () => void;
  onDelete: () => void;
}

/** A message; its content is rendered as plain text. Following its link marks it as read. */
export function MessageRow({ message, busy, onRead, onDelete }: MessageRowProps) {
  const unread = !message.isRead;
  const lead = leadOf(message.link);
  return (
    <Box
      component="li"
      sx={{
        display: "grid",
        columnGap: 1.5,
        alignItems: "start",
        px: 2.5,
        py: 2,
        gridTemplateColumns: { xs: "8px auto 1fr", md: "8px minmax(0, 1fr) auto" },
        gridTemplateAreas: {
          xs: '"dot title title" ". text text" ". time acts"',
          md: '"dot title time" ". text acts"',
        },
        "& + &": { borderTop: 1, borderColor: "divider" },
      }}
    >
      <Box
        role="img"
        aria-label={unread ? "未读" : "已读"}
        sx={{
          gridArea: "dot",
          width: 8,
          height: 8,
          mt: "7px",
          borderRadius: "50%",
          backgroundColor: unread ? "error.main" : "transparent",
        }}
      />
      <Box sx={{ gridArea: "title", minWidth: 0, fontWeight: unread ? 600 : 400, overflowWrap: "anywhere" }}>
        {message.title}
      </Box>
      <Box
        sx={{
          gridArea: "text",
          minWidth: 0,
          maxWidth: 720,
          mt: 0.5,
          color: "text.secondary",
          whiteSpace: "pre-wrap",
          overflowWrap: "anywhere",
        }}
      >
        {message.group === ANNOUNCEMENT ? (
          <FoldedText text={message.content} of={message.title} />
        ) : (
          message.content
        )}
      </Box>
      <Box
        component="time"
        dateTime={dayjs(message.createTime).toISOString()}
        className="tabular"
        sx={{
          gridArea: "time",
          justifySelf: { md: "end" },
          pt: { xs: 1, md: 0 },
          fontSize: 12,
          lineHeight: { xs: "30px", md: "22px" },
          color: "text.secondary",
        }}
      >
        {dayjs(message.createTime).format("YYYY-MM-DD HH:mm")}
      </Box>
      <Box
        sx={{
          gridArea: "acts",
          justifySelf: "end",
          alignSelf: "end",
          display: "flex",
          pt: { xs: 1, md: 0.5 },
          mr: -1,
          "& .MuiButton-root": { px: 1, minWidth: 0, fontSize: 12 },
        }}
      >
        {unread && (
          <Button
            size="small"
            color="inherit"
            disabled={busy}
            onClick={onRead}
            sx={{ color: "text.secondary" }}
          >
            标为已读
          </Button>
        )}
        {message.group !== ANNOUNCEMENT && (
          <Button
            size="small"
            color="inherit"
            disabled={busy}
            onClick={onDelete}
            sx={{ color: "text.secondary" }}
          >
            删除
          </Button>
        )}
        {lead && (
          <Button {...lead} size="small" onClick={() => unread && onRead()}>
            查看
          </Button>
        )}
      </Box>
    </Box>
  );
}
