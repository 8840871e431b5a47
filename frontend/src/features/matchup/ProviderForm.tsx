import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { useEffect, useState } from "react";
import { Link } from "react-router";
import {
  type MatchupServiceInfoReply,
  useMatchupFiguresQuery,
  useSaveProviderMutation,
  useServiceInfoQuery,
} from "@/calls/matchup";
import { useQueue } from "@/realtime";
import { useSession } from "@/session";
import { EmptyState } from "@/ui/EmptyState";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { ReadFailed } from "@/ui/ReadFailed";
import { StatusTag } from "@/ui/StatusTag";
import { toast } from "@/ui/toast";
import { Wide } from "@/ui/Wide";
import { RowsWaiting } from "./Cards";
import { IdentityChoice, offers, SignedIn } from "./Identity";
import { PROVIDER_STATES, providerPath, wordOf } from "./words";

const MOST_INTRODUCE = 1000;
const MOST_CONTACT = 100;

/** The user's own provider profile. */
export function ProviderForm() {
  return (
    <Wide>
      <SignedIn title="服务商资料" what="登录并完成认证后，可以发布服务商资料，给需求报价。">
        <Own />
      </SignedIn>
    </Wide>
  );
}

function Own() {
  const { loginId } = useSession();
  const { data, isError, refetch } = useServiceInfoQuery(
    { userId: loginId },
    { refetchOnMountOrArgChange: true },
  );
  // The certification may be decided while the page is open, or between its first answer and the connection for pushes.
  const { connections } = useQueue("CERTIFICATION", () => void refetch());
  const uncertified = data?.certified === false;
  useEffect(() => {
    if (connections > 0 && uncertified) void refetch();
  }, [connections, uncertified, refetch]);
  if (!data) {
    return (
      <>
        <PageHeader title="服务商资料" />
        {isError ? (
          <ReadFailed what="服务商资料" onRetry={() => void refetch()} />
        ) : (
          <RowsWaiting count={1} what="服务商资料" />
        )}
      </>
    );
  }
  if (!offers(data.serviceType)) {
    return (
      <EmptyState
        heading="h1"
        title="服务商资料"
        hint="先说明身份：选「我提供服务」或「两者都有」，之后可以随时更改。"
        action={<IdentityChoice type={data.serviceType} />}
      />
    );
  }
  return <Form info={data} />;
}

function Form({ info }: { info: MatchupServiceInfoReply }) {
  const { loginId } = useSession();
  const known = useMatchupFiguresQuery({});
  const lists = known.data;
  const [skills, setSkills] = useState<readonly string[]>(info.skills);
  const [industries, setIndustries] = useState<readonly string[]>(info.industries);
  const [region, setRegion] = useState(info.region);
  const [introduce, setIntroduce] = useState(info.introduce);
  const [contact, setContact] = useState(info.contact);
  const [save, { isLoading }] = useSaveProviderMutation();
  const state = wordOf(PROVIDER_STATES, info.state);
  const keep = async (publish: boolean) => {
    const answer = await save({
      userId: loginId,
      skills: skills.join(","),
      industries: industries.join(","),
      region,
      introduce: introduce.trim(),
      contact: contact.trim(),
      publish,
    });
    if (answer.error) return;
    const now = answer.data.state;
    if (now === "shown") toast.success("资料已发布");
    else if (now === "review") toast.success("已提交审核");
    else toast.success("已保存，没有展示");
  };
  return (
    <>
      <PageHeader
        title="服务商资料"
        note={info.certified ? `以「${info.companyName}」的名义展示` : "发布前需要完成个人或企业认证"}
        actions={
          info.state === "shown" && (
            <Button component={Link} to={providerPath(info.providerId)} variant="outlined">
              查看我的页面
            </Button>
          )
        }
      />
      {known.isError && !known.isFetching && (
        <ReadFailed what="类别与行业" onRetry={() => void known.refetch()} />
      )}
      <Box sx={{ mb: 3, display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1.5 }}>
        <IdentityChoice type={info.serviceType} />
        <StatusTag tone={state.tone}>{state.text}</StatusTag>
        {info.reason && <Box sx={{ color: "error.main" }}>{`原因：${info.reason}`}</Box>}
      </Box>
      {!info.certified && (
        <Box
          role="note"
          sx={(theme) => ({
            mb: 3,
            p: 2,
            borderRadius: 2,
            display: "flex",
            flexWrap: "wrap",
            alignItems: "center",
            gap: 1.5,
            backgroundColor: theme.tokens.primarySoft,
          })}
        >
          <Box sx={{ flex: 1, minWidth: 220 }}>服务商以认证的名称展示。完成认证后再发布，草稿可以先存。</Box>
          <Button component={Link} to="/workbench/authInfo" variant="contained" size="small">
            去认证
          </Button>
        </Box>
      )}
      <Box
        component="form"
        aria-label="服务商资料"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void keep(true);
        }}
        sx={{ display: "grid", gap: 3, maxWidth: 860 }}
      >
        <Panel title="做什么">
          <Box sx={{ px: 2.5, pb: 2.5, display: "grid", gap: 2.5 }}>
            <Chosen label="服务类别" all={lists?.skills ?? []} chosen={skills} onChange={setSkills} />
            <Chosen
              label="行业（最多 6 项）"
              all={lists?.industries ?? []}
              chosen={industries}
              onChange={setIndustries}
            />
            <TextField
              select
              label="所在地区"
              value={region}
              onChange={(event) => setRegion(event.target.value)}
              sx={{ maxWidth: 240 }}
            >
              <MenuItem value="">不选</MenuItem>
              {(lists?.regions ?? (region ? [region] : [])).map((one) => (
                <MenuItem key={one} value={one}>
                  {one}
                </MenuItem>
              ))}
            </TextField>
          </Box>
        </Panel>
        <Panel title="怎么交付">
          <Box sx={{ px: 2.5, pb: 2.5, pt: 1, display: "grid", gap: 2.5 }}>
            <TextField
              label="服务介绍"
              multiline
              minRows={6}
              maxRows={16}
              value={introduce}
              onChange={(event) => setIntroduce(event.target.value)}
              placeholder="做过什么、用什么、怎么交付、多久"
              helperText={`${introduce.length}/${MOST_INTRODUCE}，正文里不要留联系方式`}
              slotProps={{ htmlInput: { maxLength: MOST_INTRODUCE } }}
            />
            <TextField
              label="联系方式"
              value={contact}
              onChange={(event) => setContact(event.target.value)}
              helperText="手机、微信或邮箱。只在被选定之后给对方看。"
              slotProps={{ htmlInput: { maxLength: MOST_CONTACT, autoComplete: "off" } }}
            />
          </Box>
        </Panel>
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.5 }}>
          <Button type="submit" variant="contained" loading={isLoading} disabled={!info.certified}>
            {info.state === "shown" ? "保存并展示" : "发布资料"}
          </Button>
          <Button variant="outlined" disabled={isLoading} onClick={() => void keep(false)}>
            {info.state === "shown" ? "撤下展示" : "保存草稿"}
          </Button>
        </Box>
      </Box>
    </>
  );
}

function Chosen({
  label,
  all,
  chosen,
  onChange,
}: {
  label: string;
  all: readonly string[];
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}) {
  const turn = (one: string) =>
    onChange(chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one]);
  return (
    <Box role="group" aria-label={label}>
      <Box sx={{ mb: 1, fontSize: 13, color: "text.secondary" }}>{label}</Box>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1 }}>
        {all.map((one) => {
          const on = chosen.includes(one);
          return (
            <Chip
              key={one}
              label={one}
              clickable
              aria-pressed={on}
              color={on ? "primary" : "default"}
              variant={on ? "filled" : "outlined"}
              onClick={() => turn(one)}
            />
          );
        })}
      </Box>
    </Box>
  );
}
