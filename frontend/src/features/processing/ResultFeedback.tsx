import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Rating from "@mui/material/Rating";
import TextField from "@mui/material/TextField";
import { type FormEvent, useState } from "react";
import {
  type ProcessResultFeedback,
  useHasBeenSubmittedFeedbackQuery,
  useMyResultFeedbackQuery,
  useSaveOrUpdateUserFeedbackMutation,
} from "@/calls/process";
import { dateText } from "@/ui/dateText";
import { ReadFailed } from "@/ui/ReadFailed";
import { LinesSkeleton } from "@/ui/Skeletons";
import { toast } from "@/ui/toast";
import { Section } from "./ServicePage";

const LONGEST = 500;

const lengthOf = (text: string): number => [...text.trim()].length;

/** The owner's rating of a finished result, which can be changed later. */
export function ResultFeedback({ resultId }: { resultId: string }) {
  const given = useHasBeenSubmittedFeedbackQuery({ resultId });
  const own = useMyResultFeedbackQuery({ resultId }, { skip: given.data !== true });
  const [changing, setChanging] = useState(false);
  const failed = given.isError || own.isError;
  return (
    <Box sx={{ mt: 2 }}>
      <Section title="这次处理怎么样">
        {failed && (
          <ReadFailed
            dense
            what="评价"
            onRetry={() => void (given.isError ? given.refetch() : own.refetch())}
          />
        )}
        {!failed && (given.data === undefined || (given.data && !own.data)) && <LinesSkeleton lines={2} />}
        {!failed && given.data === false && <FeedbackForm resultId={resultId} onDone={() => undefined} />}
        {!failed && given.data && own.data && changing && (
          <FeedbackForm resultId={resultId} own={own.data} onDone={() => setChanging(false)} />
        )}
        {!failed && given.data && own.data && !changing && (
          <Said own={own.data} onChange={() => setChanging(true)} />
        )}
      </Section>
    </Box>
  );
}

function Said({ own, onChange }: { own: ProcessResultFeedback; onChange: () => void }) {
  return (
    <Box sx={{ display: "grid", gap: 1, justifyItems: "start" }}>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1.5 }}>
        <Rating value={own.stars} readOnly getLabelText={(value) => `${value} 星`} />
        <Box component="span" sx={{ fontSize: 12, color: "text.secondary" }}>
          {dateText(own.updatedAt)}
        </Box>
      </Box>
      {own.content && (
        <Box sx={{ maxWidth: 720, whiteSpace: "pre-line", overflowWrap: "anywhere" }}>{own.content}</Box>
      )}
      <Button size="small" variant="outlined" onClick={onChange}>
        修改评价
      </Button>
    </Box>
  );
}

function FeedbackForm({
  resultId,
  own,
  onDone,
}: {
  resultId: string;
  own?: ProcessResultFeedback;
  onDone: () => void;
}) {
  const [stars, setStars] = useState(own?.stars ?? 0);
  const [content, setContent] = useState(own?.content ?? "");
  const [save, { isLoading }] = useSaveOrUpdateUserFeedbackMutation();
  const long = lengthOf(content);
  const error = long > LONGEST ? `最多 ${LONGEST} 个字符，现在有 ${long} 个` : "";

  async function submit(event: FormEvent) {
    event.preventDefault();
    const saved = await save({ resultId, stars, content: content.trim() });
    // already reported by the shared wrapper
    if (saved.error) return;
    toast.success(own ? "评价已修改" : "评价已提交");
    onDone();
  }

  return (
    <Box
      component="form"
      aria-label="对这次处理的评价"
      onSubmit={(event) => void submit(event)}
      sx={{ display: "grid", gap: 1.5, maxWidth: 720 }}
    >
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1.5 }}>
        <Rating
          name="result-stars"
          value={stars || null}
          getLabelText={(value) => `${value} 星`}
          onChange={(_, value) => setStars(value ?? 0)}
        />
        <Box component="span" sx={{ fontSize: 12, color: "text.secondary" }}>
          只有您和平台能看到
        </Box>
      </Box>
      <TextField
        multiline
        minRows={2}
        maxRows={8}
        label="说说效果（选填）"
        value={content}
        onChange={(event) => setContent(event.target.value)}
        error={error !== ""}
        helperText={error || `${long} / ${LONGEST}`}
      />
      <Box sx={{ display: "flex", gap: 1 }}>
        <Button type="submit" variant="contained" loading={isLoading} disabled={stars === 0 || error !== ""}>
          {own ? "保存修改" : "提交评价"}
        </Button>
        {own && (
          <Button color="inherit" onClick={onDone}>
            取消
          </Button>
        )}
      </Box>
    </Box>
  );
}
