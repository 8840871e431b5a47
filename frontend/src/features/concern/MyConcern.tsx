import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { type FormEvent, useCallback, useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { type PersonalAttentionReply, useAttentionMutation } from "@/calls/personal";
import { Avatar } from "@/features/avatar";
import { DEFAULT_NICKNAME, useSession } from "@/session";
import { EmptyState } from "@/ui/EmptyState";
import { LinkTabs } from "@/ui/LinkTabs";
import { Pager } from "@/ui/Pager";
import { ReadFailed } from "@/ui/ReadFailed";
import { LinesSkeleton } from "@/ui/Skeletons";

const PAGE_SIZE = 10;

const TABS = [
  { id: "list", text: "我的关注", to: "?" },
  { id: "fans", text: "我的粉丝", to: "?tab=fans" },
];

/** Whom I follow, and who follows me. */
export function MyConcern() {
  const [query] = useSearchParams();
  const operation = query.get("tab") === "fans" ? "fans" : "list";
  return (
    <>
      <LinkTabs label="关注" tabs={TABS} current={operation} />
      <People key={operation} operation={operation} />
    </>
  );
}

function People({ operation }: { operation: "list" | "fans" }) {
  const { loginId } = useSession();
  const [pageNo, setPage] = useState(1);
  const [number, setNumber] = useState("");
  const [data, setData] = useState<PersonalAttentionReply>();
  const [failed, setFailed] = useState(false);
  const [ask] = useAttentionMutation();
  const [change, changing] = useAttentionMutation();

  const load = useCallback(() => {
    let stale = false;
    setFailed(false);
    ask({ operation, personalAttentionRequest: { userId: loginId, pageNo, pageSize: PAGE_SIZE } })
      .unwrap()
      .then((page) => !stale && setData(page))
      .catch(() => !stale && setFailed(true));
    return () => {
      stale = true;
    };
  }, [ask, loginId, operation, pageNo]);
  useEffect(load, [load]);

  async function attend(what: "follow" | "unfollow", target: { targetId?: string; accountNumber?: string }) {
    const done = await change({ operation: what, personalAttentionRequest: { userId: loginId, ...target } });
    if (!("data" in done)) return;
    setNumber("");
    // The last one of a page: what comes before is shown.
    const emptied = operation === "list" && what === "unfollow" && data?.results.length === 1;
    if (emptied && pageNo > 1) setPage(pageNo - 1);
    else load();
  }
  function followNumber(event: FormEvent) {
    event.preventDefault();
    if (number.trim()) void attend("follow", { accountNumber: number.trim() });
  }

  return (
    <>
      {operation === "list" && (
        <Box component="form" onSubmit={followNumber} sx={{ display: "flex", gap: 1, mt: 2, maxWidth: 400 }}>
          <TextField
            fullWidth
            size="small"
            label="对方的账号"
            value={number}
            onChange={(event) => setNumber(event.target.value)}
            slotProps={{ htmlInput: { maxLength: 32, autoComplete: "off" } }}
          />
          <Button type="submit" variant="contained" disabled={!number.trim() || changing.isLoading}>
            关注
          </Button>
        </Box>
      )}
      <Box sx={{ mt: 2 }} />
      {failed && <ReadFailed what="关注" onRetry={load} />}
      {!failed && !data && <LinesSkeleton lines={6} />}
      {!failed && data && data.results.length === 0 && (
        <EmptyState
          kind="results"
          title={operation === "list" ? "还没有关注任何人" : "还没有粉丝"}
          hint={operation === "list" ? "输入对方的账号即可关注。" : undefined}
        />
      )}
      {!failed && data && data.results.length > 0 && (
        <>
          <Box
            component="ul"
            sx={{
              listStyle: "none",
              m: 0,
              p: 0,
              border: 1,
              borderColor: "divider",
              borderRadius: 2,
              backgroundColor: "background.paper",
            }}
          >
            {data.results.map((one) => (
              <PersonRow
                key={one.targetId}
                person={one}
                busy={changing.isLoading}
                onTurn={() => void attend(one.following ? "unfollow" : "follow", { targetId: one.targetId })}
              />
            ))}
          </Box>
          <Pager total={data.totalCount} page={pageNo} pageSize={PAGE_SIZE} onPage={setPage} />
        </>
      )}
    </>
  );
}

interface PersonRowProps {
  person: PersonalAttentionReply["results"][number];
  busy: boolean;
  onTurn: () => void;
}

function PersonRow({ person, busy, onTurn }: PersonRowProps) {
  const name = person.nickName || DEFAULT_NICKNAME;
  return (
    <Box
      component="li"
      sx={{
        display: "flex",
        gap: 2,
        px: 2.5,
        py: 2,
        alignItems: "center",
        "& + &": { borderTop: 1, borderColor: "divider" },
      }}
    >
      <Avatar url={person.avatar} name={name} size={44} />
      <Box sx={{ flex: 1, minWidth: 0, maxWidth: 720, mr: "auto" }}>
        <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 1, alignItems: "center" }}>
          <Box component="span" sx={{ fontWeight: 600, overflowWrap: "anywhere" }}>
            {name}
          </Box>
          {person.following && person.followedBy && (
            <Box component="span" sx={{ fontSize: 12, color: "text.secondary" }}>
              互相关注
            </Box>
          )}
        </Box>
        {person.introduce && (
          <Box
            sx={{
              color: "text.secondary",
              overflowWrap: "anywhere",
              display: "-webkit-box",
              WebkitBoxOrient: "vertical",
              WebkitLineClamp: 2,
              overflow: "hidden",
            }}
          >
            {person.introduce}
          </Box>
        )}
      </Box>
      <Button
        size="small"
        variant={person.following ? "outlined" : "contained"}
        color={person.following ? "inherit" : "primary"}
        disabled={busy}
        aria-label={`${person.following ? "取消关注" : "关注"}${name}`}
        onClick={onTurn}
        sx={{ flex: "none" }}
      >
        {person.following ? "取消关注" : "关注"}
      </Button>
    </Box>
  );
}
