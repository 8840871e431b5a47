import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import FormControlLabel from "@mui/material/FormControlLabel";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import TextField from "@mui/material/TextField";
import { type FormEvent, useState } from "react";
import { Link } from "react-router";
import { invalidateMe, useQueryInfoQuery } from "@/calls/personal";
import { type TransactionModeler, useApplyModelerMutation, useModelerInfoQuery } from "@/calls/transaction";
import { useSession } from "@/session";
import { useAppDispatch } from "@/store/hooks";
import { dateText } from "@/ui/dateText";
import { PageHeader } from "@/ui/PageHeader";
import { ReadFailed } from "@/ui/ReadFailed";
import { LinesSkeleton } from "@/ui/Skeletons";
import { toast } from "@/ui/toast";
import { KINDS, lengthOf, MOST, REFUSED, WAITING } from "./words";

const CERTIFIED = 1;

/** Application to become a maker, or its result. */
export function Application() {
  const { loginId } = useSession();
  const info = useModelerInfoQuery({ userId: loginId }, { refetchOnMountOrArgChange: true });
  return (
    <>
      <PageHeader
        title="成为模型师"
        note="通过审核后，您在商城以模型师身份展示，并获得模型师中心和个人主页"
      />
      {info.isError && !info.isFetching ? (
        <ReadFailed what="申请状态" onRetry={() => void info.refetch()} />
      ) : !info.data ? (
        <LinesSkeleton lines={8} />
      ) : info.data.reviewStatus === WAITING ? (
        <Waiting info={info.data} />
      ) : (
        <ApplyForm info={info.data} />
      )}
    </>
  );
}

function Waiting({ info }: { info: TransactionModeler }) {
  const kind = KINDS.find(({ value }) => value === info.uploaderType);
  return (
    <>
      <Alert severity="info">{`您申请成为${kind?.title ?? "模型师"}，已于 ${dateText(info.appliedAt)} 提交，正在审核。结果会通过站内消息告诉您。`}</Alert>
      <Box sx={{ mt: 2, whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{info.statement}</Box>
    </>
  );
}

function ApplyForm({ info }: { info: TransactionModeler }) {
  const { loginId } = useSession();
  const dispatch = useAppDispatch();
  const person = useQueryInfoQuery({});
  const [apply, { isLoading }] = useApplyModelerMutation();
  const [kind, setKind] = useState(info.uploaderType === 3 ? 3 : 2);
  const [statement, setStatement] = useState(info.statement);
  const [tried, setTried] = useState(false);
  const length = lengthOf(statement);
  const problem =
    length > MOST.statement
      ? `申请说明最多 ${MOST.statement} 个字符`
      : tried && length < MOST.leastStatement
        ? `申请说明至少 ${MOST.leastStatement} 个字符`
        : undefined;

  async function submit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (length < MOST.leastStatement || length > MOST.statement) return;
    try {
      await apply({ userId: loginId, uploaderType: kind, statement: statement.trim() }).unwrap();
      dispatch(invalidateMe());
      toast.success("已提交申请");
    } catch {
      // already reported by the shared wrapper
    }
  }

  const certified = person.data?.checkStatus === CERTIFIED;
  return (
    <Box
      component="form"
      noValidate
      onSubmit={submit}
      sx={{
        maxWidth: 720,
        p: 3,
        display: "grid",
        gap: 2.5,
        border: 1,
        borderColor: "divider",
        borderRadius: 2,
        bgcolor: "background.paper",
      }}
    >
      {info.reviewStatus === REFUSED && (
        <Alert severity="error">{`上次申请未通过：${info.reason || "未说明原因"}。修改后可以重新申请。`}</Alert>
      )}
      <RadioGroup
        aria-label="模型师身份"
        value={String(kind)}
        onChange={(_, value) => setKind(Number(value))}
        sx={{ display: "grid", gap: 1.5, gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr" } }}
      >
        {KINDS.map(({ value, title, note }) => (
          <FormControlLabel
            key={value}
            value={String(value)}
            control={<Radio size="small" />}
            label={
              <>
                <Box component="span" sx={{ display: "block", fontWeight: 500 }}>
                  {title}
                </Box>
                <Box component="span" sx={{ display: "block", fontSize: 12, color: "text.secondary" }}>
                  {note}
                </Box>
              </>
            }
            sx={{
              m: 0,
              p: 1.5,
              border: 1,
              borderColor: "divider",
              borderRadius: 2,
              alignItems: "flex-start",
            }}
          />
        ))}
      </RadioGroup>
      <TextField
        label="申请说明"
        multiline
        minRows={5}
        value={statement}
        onChange={(event) => setStatement(event.target.value)}
        placeholder="介绍您自己，以及准备出售哪些模型"
        error={problem !== undefined}
        helperText={problem ?? `${length} / ${MOST.statement}`}
        slotProps={{ inputLabel: { shrink: true } }}
      />
      <Box sx={{ fontSize: 13, color: "text.secondary" }}>
        {certified
          ? "您已通过实名认证，审核时会一并参考。"
          : "您还没有通过实名认证。认证不是必须的，但会影响审核。"}
        {!certified && (
          <Button component={Link} to="/workbench/information" size="small">
            去认证
          </Button>
        )}
      </Box>
      <Box>
        <Button type="submit" variant="contained" loading={isLoading}>
          提交申请
        </Button>
      </Box>
    </Box>
  );
}
