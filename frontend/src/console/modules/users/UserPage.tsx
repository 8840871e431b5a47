import Box from "@mui/material/Box";
import { useParams } from "react-router";
import { toast } from "@/ui/toast";
import { useUserShowQuery } from "../../api/generated/auth";
import { wordOf } from "../../kit/choices";
import { minute, shown } from "../../kit/format";
import { Card, Facts, PageTitle } from "../../kit/page";
import { Part, useParts } from "../../kit/parts";
import { State } from "../../kit/State";
import { Loaded } from "../../kit/states";
import { useMay } from "../../session/slice";
import { Contact } from "./Contact";
import { UserDecisions } from "./UserDecisions";
import { nameOf, PROFESSIONS, USER_STATES } from "./words";

const UPLOADERS: Record<number, string> = { 1: "平台工作室", 2: "个人模型师", 3: "企业模型师" };

/** One user: account data, decisions, and the panels of all areas. */
export default function UserPage() {
  const { loginId = "" } = useParams();
  const may = useMay();
  const query = useUserShowQuery({ loginId });
  const { userPanels } = useParts();
  return (
    <Loaded query={query} what="用户" rows={10}>
      {(found) => {
        const { user } = found;
        return (
          <>
            <PageTitle
              back={{ to: "/users", text: "用户" }}
              title={nameOf(user)}
              state={<State words={USER_STATES} value={user.state} />}
              actions={<UserDecisions found={found} onDone={(text) => toast.success(text)} />}
            />
            <Box sx={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 2 }}>
              <Card title="账号">
                <Facts
                  facts={[
                    ["昵称", shown(user.nickname)],
                    ["账号", shown(user.accountNumber)],
                    ["用户 ID", user.loginId],
                    ["注册时间", minute(user.createdAt)],
                    ["手机号", <Contact key="phone" kind="phone" user={user} open={may("user.reveal")} />],
                    ["邮箱", <Contact key="email" kind="email" user={user} open={may("user.reveal")} />],
                    ["发布身份", UPLOADERS[found.uploaderType] ?? "普通用户"],
                    ["职业", shown(wordOf(PROFESSIONS, user.professionCode).text)],
                    [
                      "密码错误",
                      `近 1 小时 ${found.wrongPasswordsHour} 次，近 24 小时 ${found.wrongPasswordsDay} 次`,
                    ],
                    ["短信验证码", `近 24 小时 ${found.codesDay} 条`],
                    ...(user.state === "frozen"
                      ? ([
                          ["冻结至", found.frozenUntil > 0 ? minute(found.frozenUntil) : "长期"],
                          ["冻结原因", shown(found.frozenReason)],
                        ] as const)
                      : []),
                  ]}
                />
              </Card>
              {userPanels.map((panel) => (
                <Card key={panel.id} title={panel.title} flush>
                  <Part part={panel} props={{ loginId }} />
                </Card>
              ))}
            </Box>
          </>
        );
      }}
    </Loaded>
  );
}
