import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { type FormEvent, useCallback, useEffect, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { type PersonalAttentionReply, useAttentionMutation } from "@/calls/personal";
import { Avatar } from "@/features/avatar";
import { authorPath } from "@/lib/paths";
import { calledBy, useSession } from "@/session";
import { CertifiedBadge, markOf } from "@/ui/CertifiedBadge";
import { LinkTabs } from "@/ui/LinkTabs";
import { ListPage, RowList, useListAddress } from "@/ui/list";

const TABS = [
  { id: "list", text: "我的关注", to: "?" },
  { id: "fans", text: "我的粉丝", to: "?tab=fans" },
];

/** Followed users and followers. */
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
  const list = useListAddress({ pageSize: 10 });
  const { page: pageNo, pageSize } = list;
  const [number, setNumber] = useState("");
  const [data, setData] = useState<PersonalAttentionReply>();
  const [failed, setFailed] = useState(false);
  const [ask] = useAttentionMutation();
  const [change, changing] = useAttentionMutation();

  const load = useCallback(() => {
    let stale = false;
    setFailed(false);
    ask({ operation, personalAttentionRequest: { userId: loginId, pageNo, pageSize } })
      .unwrap()
      .then((page) => !stale && setData(page))
      .catch(() => !stale && setFailed(true));
    return () => {
      stale = true;
    };
  }, [ask, loginId, operation, pageNo, pageSize]);
  useEffect(load, [load]);

  async function attend(what: "follow" | "unfollow", target: { targetId?: string; accountNumber?: string }) {
    const done = await change({ operation: what, personalAttentionRequest: { userId: loginId, ...target } });
    if (!("data" in done)) return;
    setNumber("");
    load();
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
      <ListPage
        what="关注"
        query={{
          data,
          currentData: failed ? undefined : data,
          isFetching: false,
          isError: failed,
          refetch: load,
        }}
        list={list}
        empty={
          operation === "list"
            ? { kind: "results", title: "还没有关注任何人", hint: "输入对方的账号即可关注。" }
            : { kind: "results", title: "还没有粉丝" }
        }
      >
        {(people) => (
          <RowList>
            {people.map((one) => (
              <PersonRow
                key={one.targetId}
                person={one}
                busy={changing.isLoading}
                onTurn={() => void attend(one.following ? "unfollow" : "follow", { targetId: one.targetId })}
              />
            ))}
          </RowList>
        )}
      </ListPage>
    </>
  );
}

interface PersonRowProps {
  person: PersonalAttentionReply["results"][number];
  busy: boolean;
  onTurn: () => void;
}

function PersonRow({ person, busy, onTurn }: PersonRowProps) {
  const name = calledBy(person.nickName);
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
          <Box
            component={Link}
            to={authorPath(person.targetId)}
            sx={{ fontWeight: 600, color: "text.primary", overflowWrap: "anywhere" }}
          >
            {name}
          </Box>
          <CertifiedBadge as={markOf(person.certified)} />
          {person.following && person.followedBy && (
            <Box component="span" sx={{ fontSize: 12, color: "text.secondary" }}>
              互相关注
            </Box>
          )}
        </Box>
        <Box className="tabular" sx={{ fontSize: 12, color: "text.secondary" }}>
          {`账号 ${person.accountNumber}`}
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
