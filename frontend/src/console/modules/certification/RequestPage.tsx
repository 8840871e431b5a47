import Box from "@mui/material/Box";
import { useParams } from "react-router";
import { type AuthCertificationShowReply, useCertificationShowQuery } from "../../api/generated/auth";
import { wordOf } from "../../kit/choices";
import { minute, shown } from "../../kit/format";
import { Card, Facts, PageTitle } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { State } from "../../kit/State";
import { Loaded, Nothing } from "../../kit/states";
import { useMay } from "../../session/slice";
import { Decisions } from "./Decisions";
import { History } from "./History";
import { Photograph, Statement } from "./Reveal";
import { holder, KINDS, PICTURES, STANDINGS, STATES, titleOf } from "./words";

/** One request: its statements, its pictures, related facts, and the decision. */
export default function RequestPage() {
  const { id = "" } = useParams();
  const query = useCertificationShowQuery({ id }, { refetchOnMountOrArgChange: true });
  return (
    <Loaded query={query} what="认证申请" rows={10}>
      {(found) => <Request key={found.item.id} found={found} />}
    </Loaded>
  );
}

function Request({ found }: { found: AuthCertificationShowReply }) {
  const may = useMay();
  const { item } = found;
  const pictures = found.parts.filter((part) => part in PICTURES);
  return (
    <>
      <PageTitle
        back={{ to: "/certification", text: "认证审核" }}
        title={`${wordOf(KINDS, item.kind).text}认证：${titleOf(item)}`}
        state={<State words={STATES} value={item.state} />}
        actions={<Decisions item={item} />}
      />
      <Box sx={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 2 }}>
        <Card title="申请">
          <Facts
            facts={[
              [
                "用户",
                <RowLink key="user" to={`/users/${encodeURIComponent(item.loginId)}`}>
                  {item.loginId}
                </RowLink>,
              ],
              ["账号现状", <State key="state" words={STANDINGS} value={String(found.checkStatus)} />],
              ["提交时间", minute(item.submittedAt)],
              ["审核人", holder(item) ? `${holder(item)} 正在审核` : shown(item.decidedBy)],
              ...(item.decidedAt > 0 ? ([["审核时间", minute(item.decidedAt)]] as const) : []),
              ...(item.cause ? ([["驳回原因", item.cause]] as const) : []),
            ]}
          />
        </Card>
        <Card title="填写的信息">
          <Statement
            id={item.id}
            may={may("certification.decide")}
            masked={
              <Facts
                facts={
                  item.kind === "developer"
                    ? [["开发经验", "点击查看"]]
                    : [
                        [item.kind === "enterprise" ? "企业名称" : "真实姓名", shown(item.name)],
                        [item.kind === "enterprise" ? "信用代码" : "身份证号", shown(item.number)],
                      ]
                }
              />
            }
          />
        </Card>
        {item.kind !== "developer" && <Pictures found={found} pictures={pictures} />}
        {item.kind !== "developer" && (
          <Card title="相同证件的其他账号" flush>
            <History
              caption="相同证件的其他账号"
              items={found.sameNumber}
              accounts
              empty={
                <Nothing
                  title="没有其他账号使用这个证件"
                  hint={`一个证件最多认证 ${found.accountsPerNumber} 个账号。`}
                />
              }
            />
          </Card>
        )}
        <Card title="该用户的其他申请" flush>
          <History
            caption="该用户的其他申请"
            items={found.history}
            empty={<Nothing title="没有其他申请" />}
          />
        </Card>
      </Box>
    </>
  );
}

function Pictures({ found, pictures }: { found: AuthCertificationShowReply; pictures: readonly string[] }) {
  const may = useMay();
  const until = found.picturesUntil > 0 ? `，保留至 ${minute(found.picturesUntil)}` : "";
  return (
    <Card title="证件照片">
      {pictures.length === 0 && <Nothing title="照片已按期删除" />}
      {pictures.length > 0 && !may("certification.decide") && (
        <Nothing title="没有查看证件照片的权限" hint={`共 ${pictures.length} 张${until}`} />
      )}
      {pictures.length > 0 && may("certification.decide") && (
        <>
          <Box sx={{ mb: 1.5, fontSize: 13, color: "text.secondary" }}>
            {`每次查看都会记入操作日志，照片上印有您的登录名，一分钟后自动收起${until}。`}
          </Box>
          <Box
            sx={{
              display: "grid",
              gap: 2,
              gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "repeat(2, minmax(0, 1fr))" },
            }}
          >
            {pictures.map((part) => (
              <Photograph key={part} id={found.item.id} part={part} />
            ))}
          </Box>
        </>
      )}
    </Card>
  );
}
