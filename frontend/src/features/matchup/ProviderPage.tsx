import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import { Link, useSearchParams } from "react-router";
import { type MatchupProviderDetailReply, useProviderDetailQuery } from "@/calls/matchup";
import { useModelListQuery } from "@/calls/transaction";
import { useWorkListQuery } from "@/calls/works";
import { Avatar } from "@/features/avatar";
import { EmptyState } from "@/ui/EmptyState";
import { Panel } from "@/ui/Panel";
import { useTitle } from "@/ui/useTitle";
import { Wide } from "@/ui/Wide";
import { Mark } from "./Cards";
import { ProviderForm } from "./ProviderForm";
import { Said } from "./Ratings";
import { NEW_DEMAND, SERVICES, starsText } from "./words";

/** Public page of a provider; without `providerId` the user's own profile. */
export function ProviderPage() {
  const [query] = useSearchParams();
  const providerId = query.get("providerId")?.slice(0, 32) ?? "";
  if (!providerId) return <ProviderForm />;
  return <Provider key={providerId} providerId={providerId} />;
}

function Provider({ providerId }: { providerId: string }) {
  const { currentData, isError, refetch } = useProviderDetailQuery({ providerId });
  useTitle(currentData?.card?.name);
  if (isError && !currentData) {
    return (
      <EmptyState
        heading="h1"
        kind="search"
        title="没有看到这个服务商"
        hint="资料可能已撤下，或网络中断。"
        action={
          <>
            <Button onClick={() => void refetch()}>重试</Button>
            <Button component={Link} to={SERVICES} variant="contained">
              去服务市场
            </Button>
          </>
        }
      />
    );
  }
  return (
    <Wide>
      {currentData?.card ? (
        <Shown card={currentData.card} ratings={currentData.ratings} />
      ) : (
        <Box role="status" aria-label="正在加载服务商">
          <Skeleton variant="text" sx={{ width: "40%", fontSize: 28 }} />
          <Skeleton variant="rounded" height={280} sx={{ mt: 3 }} />
        </Box>
      )}
    </Wide>
  );
}

type Card = NonNullable<MatchupProviderDetailReply["card"]>;

function Shown({ card, ratings }: { card: Card; ratings: MatchupProviderDetailReply["ratings"] }) {
  const name = card.name || "服务商";
  return (
    <>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 2, mb: 3 }}>
        <Avatar url={card.avatar} name={card.example ? name.replace(/^示例服务商：/, "") : name} size={64} />
        <Box sx={{ flex: 1, minWidth: 220 }}>
          <Box
            component="h1"
            sx={{
              m: 0,
              fontSize: { xs: 20, md: 24 },
              lineHeight: 1.4,
              fontWeight: 600,
              overflowWrap: "anywhere",
            }}
          >
            {name}
          </Box>
          <Box sx={{ color: "text.secondary" }}>
            {[card.certified ? "已通过认证" : "", card.region].filter(Boolean).join(" · ")}
          </Box>
        </Box>
        <Button component={Link} to={NEW_DEMAND} variant="contained">
          发布需求
        </Button>
      </Box>
      <Box
        sx={{
          display: "grid",
          gap: 3,
          alignItems: "start",
          gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "minmax(0, 1fr) 340px" },
        }}
      >
        <Box sx={{ display: "grid", gap: 3, gridTemplateColumns: "minmax(0, 1fr)" }}>
          <Panel title="服务介绍">
            <Box sx={{ px: 2.5, pb: 2.5, whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
              {card.introduce}
            </Box>
          </Panel>
          <Panel title="评价">
            <Box sx={{ px: 2.5, pb: 2.5, display: "grid", gap: 2 }}>
              {ratings.length === 0 && (
                <Box sx={{ color: "text.secondary" }}>
                  {card.example ? "示例没有评价。" : "还没有评价。评价来自结束的对接。"}
                </Box>
              )}
              {ratings.map((rating) => (
                <Said key={rating.at} title={`${rating.nickname}：${rating.title}`} rating={rating} />
              ))}
            </Box>
          </Panel>
        </Box>
        <Panel title="要点">
          <Box sx={{ px: 2.5, pb: 2.5, display: "grid", gap: 2 }}>
            <Marks title="服务" all={card.skills} />
            <Marks title="行业" all={card.industries} />
            {card.example ? (
              <Box sx={{ color: "text.secondary" }}>这是示例，用来说明资料怎样写，不接受委托。</Box>
            ) : (
              <Figures card={card} />
            )}
          </Box>
        </Panel>
      </Box>
    </>
  );
}

function Marks({ title, all }: { title: string; all: readonly string[] }) {
  if (all.length === 0) return null;
  return (
    <Box>
      <Box sx={{ mb: 0.75, fontSize: 13, color: "text.secondary" }}>{title}</Box>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 0.75 }}>
        {all.map((one) => (
          <Mark key={one}>{one}</Mark>
        ))}
      </Box>
    </Box>
  );
}

/** Completed matchups, and the provider's works and models on this site. */
function Figures({ card }: { card: Card }) {
  const works = useWorkListQuery({ authorId: card.userId, pageNo: 1, pageSize: 1 }).data;
  const models = useModelListQuery({ sellerId: card.userId, pageNo: 1, pageSize: 1 }).data;
  const id = encodeURIComponent(card.userId);
  const figures = [
    { name: "结束的对接", value: card.done },
    { name: "作品", value: works?.totalCount, to: `/production/classify?author=${id}` },
    { name: "商城模型", value: models?.totalCount, to: `/transaction/author?userId=${id}&type=2` },
  ];
  return (
    <Box component="dl" sx={{ m: 0, display: "grid", gap: 1 }}>
      {figures.map(({ name, value, to }) => (
        <Box key={name} sx={{ display: "flex", justifyContent: "space-between", gap: 2 }}>
          <Box component="dt" sx={{ color: "text.secondary" }}>
            {name}
          </Box>
          <Box component="dd" className="tabular" sx={{ m: 0 }}>
            {to && value ? (
              <Box component={Link} to={to} sx={{ color: "primary.main" }} aria-label={`${name} ${value}`}>
                {value}
              </Box>
            ) : (
              (value ?? "—")
            )}
          </Box>
        </Box>
      ))}
      <Box sx={{ display: "flex", justifyContent: "space-between", gap: 2 }}>
        <Box component="dt" sx={{ color: "text.secondary" }}>
          评价
        </Box>
        <Box component="dd" className="tabular" sx={{ m: 0 }}>
          {starsText(card.ratingCount, card.ratingSum) || "还没有"}
        </Box>
      </Box>
    </Box>
  );
}
