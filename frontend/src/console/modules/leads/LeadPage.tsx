import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { type FormEvent, useState } from "react";
import { useNavigate, useParams } from "react-router";
import { toast } from "@/ui/toast";
import { UserText } from "@/ui/UserText";
import { messageOf } from "../../api/envelope";
import type { PersonalLeadDetail } from "../../api/generated/personal";
import { useLeadMoveMutation, useLeadRemoveMutation, useLeadShowQuery } from "../../api/generated/personal";
import { ChoiceInput } from "../../kit/ChoiceInput";
import { minute, shown } from "../../kit/format";
import { Card, Facts, PageTitle } from "../../kit/page";
import { DecisionBar } from "../../kit/reason";
import { State } from "../../kit/State";
import { SecretField } from "../../kit/secret";
import { Loaded } from "../../kit/states";
import { TextInput } from "../../kit/TextInput";
import { useMay } from "../../session/slice";
import { phoneOf } from "./calls";
import { next, STATES } from "./words";

const MOST_OF_NOTE = 1_000;

/** One application: the applicant, the request, and the state of the conversation. */
export default function LeadPage() {
  const { id = "" } = useParams();
  const query = useLeadShowQuery({ id }, { refetchOnMountOrArgChange: true });
  return (
    <Loaded query={query} what="申请" rows={6}>
      {(found) => <Page found={found} />}
    </Loaded>
  );
}

function Page({ found }: { found: PersonalLeadDetail }) {
  const { lead, demand, note } = found;
  const may = useMay();
  const navigate = useNavigate();
  const [remove] = useLeadRemoveMutation();
  if (!lead) return null;
  const manages = may("lead.manage");
  return (
    <>
      <PageTitle
        back={{ to: "/leads", text: "咨询申请" }}
        title={lead.companyName}
        state={<State words={STATES} value={lead.state} />}
        actions={
          <DecisionBar
            decisions={[
              {
                id: "remove",
                text: "删除",
                title: "删除这份申请",
                danger: true,
                allowed: manages,
                note: "申请与备注一并删除，不能恢复。",
                templates: ["申请人要求删除", "重复提交", "内容无效"],
                onConfirm: async (reason) => {
                  await remove({ id: lead.id, reason }).unwrap();
                  toast.success("已删除");
                  navigate("/leads");
                },
              },
            ]}
          />
        }
      />
      <Box sx={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 2 }}>
        <Card title="申请">
          <Facts
            facts={[
              ["联系人", lead.contactName],
              [
                "手机号",
                manages ? (
                  <SecretField
                    key="phone"
                    label="手机号"
                    masked={lead.phoneMasked}
                    reveal={() => phoneOf(lead.id)}
                  />
                ) : (
                  lead.phoneMasked
                ),
              ],
              ["提交时间", minute(lead.createdAt)],
              ["最近处理", lead.operator ? `${lead.operator}，${minute(lead.updatedAt)}` : shown("")],
            ]}
          />
          <UserText sx={{ mt: 2 }}>{demand}</UserText>
        </Card>
        <Card title="跟进">
          {manages ? (
            <MoveForm key={`${lead.state}${lead.updatedAt}`} id={lead.id} state={lead.state} note={note} />
          ) : (
            <UserText>{note || "没有备注"}</UserText>
          )}
        </Card>
      </Box>
    </>
  );
}

/** State and note, saved together. */
function MoveForm({ id, state, note }: { id: string; state: string; note: string }) {
  const [move, { isLoading }] = useLeadMoveMutation();
  const [wanted, setWanted] = useState(state);
  const [text, setText] = useState(note);
  const [problem, setProblem] = useState("");

  async function submit(event: FormEvent) {
    event.preventDefault();
    setProblem("");
    try {
      await move({ id, knownState: state, state: wanted, note: text.trim() }).unwrap();
      toast.success("已保存");
    } catch (error) {
      setProblem(messageOf(error) || "没有保存成功，请稍后重试");
    }
  }

  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ maxWidth: 560 }}>
      <ChoiceInput label="状态" value={wanted} choices={next(state)} onChange={setWanted} />
      <TextInput
        label="备注"
        rows={4}
        max={MOST_OF_NOTE}
        hint="只有运营人员能看到"
        value={text}
        problem={problem}
        onChange={setText}
      />
      <Button type="submit" variant="contained" loading={isLoading}>
        保存
      </Button>
    </Box>
  );
}
