import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { type FormEvent, useState } from "react";
import { useParams } from "react-router";
import { toast } from "@/ui/toast";
import { UserText } from "@/ui/UserText";
import { messageOf } from "../../api/envelope";
import {
  type PersonalFeedbackShowReply,
  useFeedbackAnswerMutation,
  useFeedbackCloseMutation,
  useFeedbackShowQuery,
} from "../../api/generated/personal";
import { wordOf } from "../../kit/choices";
import { DownloadButton, EvidencePicture } from "../../kit/file";
import { minute, moment } from "../../kit/format";
import { Card, Facts, PageTitle, Timeline } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { DecisionBar } from "../../kit/reason";
import { State } from "../../kit/State";
import { Loaded } from "../../kit/states";
import { TextInput } from "../../kit/TextInput";
import { useMay } from "../../session/slice";
import { readPart } from "./calls";
import { STATES, TYPES, userPath } from "./words";

const MOST_OF_ANSWER = 2_000;

/** One feedback: its text, its files, and its answers. */
export default function FeedbackPage() {
  const { id = "" } = useParams();
  // each view is logged: loaded once, and again after an answer
  const query = useFeedbackShowQuery({ id }, { refetchOnMountOrArgChange: true });
  return (
    <Loaded query={query} what="反馈" rows={8}>
      {(found) => <Page found={found} />}
    </Loaded>
  );
}

function Page({ found }: { found: PersonalFeedbackShowReply }) {
  const { item, content, files, answers } = found;
  const may = useMay();
  const [close] = useFeedbackCloseMutation();
  const answerable = may("feedback.answer") && item.state !== "closed";
  return (
    <>
      <PageTitle
        back={{ to: "/feedback", text: "反馈" }}
        title="反馈详情"
        name={`反馈：${item.summary}`}
        state={<State words={STATES} value={item.state} />}
        actions={
          <DecisionBar
            decisions={[
              {
                id: "close",
                text: "关闭",
                title: "关闭反馈",
                allowed: answerable,
                note: "关闭后不能再回复。",
                templates: ["问题已解决", "重复反馈", "内容无效"],
                onConfirm: async (reason) => {
                  await close({ id: item.id, reason }).unwrap();
                  toast.success("反馈已关闭");
                },
              },
            ]}
          />
        }
      />
      <Box sx={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 2 }}>
        <Card title="内容">
          <Facts
            facts={[
              [
                "用户",
                <RowLink key="u" to={userPath(item.loginId)}>
                  {item.nickname || item.loginId}
                </RowLink>,
              ],
              ["类型", wordOf(TYPES, String(item.type)).text],
              ["提交时间", minute(item.createdAt)],
              ["最近变化", minute(item.updatedAt)],
            ]}
          />
          <UserText sx={{ mt: 2 }}>{content}</UserText>
        </Card>
        {files.length > 0 && <Files id={item.id} files={files} />}
        <Card title="回复">
          {answers.length > 0 && (
            <Timeline
              entries={[...answers].reverse().map((answer) => ({
                id: `${answer.createdAt}${answer.operator}`,
                time: moment(answer.createdAt),
                title: answer.operator,
                detail: <UserText>{answer.content}</UserText>,
              }))}
            />
          )}
          {answers.length === 0 && !answerable && (
            <Box sx={{ fontSize: 13, color: "text.secondary" }}>没有回复</Box>
          )}
          {answerable && <AnswerForm key={answers.length} id={item.id} known={answers.length} />}
        </Card>
      </Box>
    </>
  );
}

function Files({ id, files }: { id: string; files: PersonalFeedbackShowReply["files"] }) {
  return (
    <Card title="附件">
      <Box
        sx={{
          display: "grid",
          gap: 1.5,
          gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "repeat(auto-fill, minmax(240px, 1fr))" },
        }}
      >
        {files
          .filter(({ isPicture }) => isPicture)
          .map(({ number }, index) => (
            <EvidencePicture key={number} label={`图片 ${index + 1}`} readPart={readPart(id, number)} />
          ))}
      </Box>
      {files
        .filter(({ isPicture }) => !isPicture)
        .map(({ number, name }) => (
          <Box key={number} sx={{ mt: 1.5, display: "flex", gap: 1, alignItems: "center", flexWrap: "wrap" }}>
            <UserText sx={{ fontSize: 13 }}>{name}</UserText>
            <DownloadButton name={name} readPart={readPart(id, number)} />
            <Box sx={{ fontSize: 12, color: "text.secondary" }}>由用户上传，打开前请先查毒</Box>
          </Box>
        ))}
    </Card>
  );
}

/** Answer form; the server rejects the answer if there are newer ones than `known`. */
function AnswerForm({ id, known }: { id: string; known: number }) {
  const [send, { isLoading }] = useFeedbackAnswerMutation();
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  async function submit(event: FormEvent) {
    event.preventDefault();
    const content = text.trim();
    setProblem(content ? "" : "请填写回复内容");
    if (!content) return;
    try {
      await send({ id, content, knownAnswers: known }).unwrap();
      toast.success("已回复，用户会立即收到通知");
    } catch (error) {
      setProblem(messageOf(error) || "没有发送成功，请稍后重试");
    }
  }
  return (
    <Box component="form" onSubmit={submit} noValidate sx={{ mt: known > 0 ? 2 : 0 }}>
      <TextInput
        label="回复内容"
        rows={4}
        max={MOST_OF_ANSWER}
        hint="用户会看到全文；请不要写入他人信息"
        value={text}
        problem={problem}
        onChange={setText}
      />
      <Button type="submit" variant="contained" loading={isLoading}>
        发送回复
      </Button>
    </Box>
  );
}
