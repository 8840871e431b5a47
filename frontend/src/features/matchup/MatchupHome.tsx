import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { Link } from "react-router";
import { useDemandListQuery, useMatchupFiguresQuery, useProviderListQuery } from "@/calls/matchup";
import { EmptyState } from "@/ui/EmptyState";
import { ReadFailed } from "@/ui/ReadFailed";
import { Part, Wide } from "@/ui/Wide";
import { CardRows, DemandCard, ProviderCard, RowsWaiting } from "./Cards";
import { AGREEMENT, DEMANDS, HOME, NEW_DEMAND, OWN_PROFILE, SERVICES } from "./words";

const SHOWN = 6;

const STEPS = [
  ["写清需求", "类别、现状、要求、怎样算完成。审核通过后进入需求市场。"],
  ["收到报价", "服务商给出价格、周期与方案。附件此时只有您看得到。"],
  ["选定一家", "双方看到彼此的联系方式，附件对选定的一方开放。"],
  ["结束并互评", "交付后由任一方结束对接，评价留在各自的页面上。"],
] as const;

/** Home of the matchup platform: two entries, figures, open demands. */
export function MatchupHome() {
  return (
    <>
      <Box sx={{ background: "linear-gradient(120deg,#0B1020 30%,#16305E)", color: "#E8ECF6" }}>
        <Box
          sx={{
            maxWidth: 1280,
            mx: "auto",
            px: { xs: 2, md: 2.5 },
            py: { xs: 4, md: 7 },
            display: "grid",
            gap: { xs: 3, md: 4 },
          }}
        >
          <Box>
            <Box component="h1" sx={{ m: 0, fontSize: { xs: 26, md: 36 }, lineHeight: 1.3, fontWeight: 600 }}>
              把模型交给做得了的人
            </Box>
            <Box component="p" sx={{ m: 0, mt: 1, maxWidth: 640, color: "#A3ADC2" }}>
              需求写清楚，报价才有得比。轻量化、建模、切片、可视化，按交付标准找人。
            </Box>
          </Box>
          <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: { xs: "1fr", md: "1fr 1fr" } }}>
            <Door
              title="我有需求"
              text="写下要什么、预算多少、何时要。审核后服务商来报价。"
              main={{ text: "发布需求", to: NEW_DEMAND }}
              other={{ text: "看服务商", to: SERVICES }}
            />
            <Door
              title="我提供服务"
              text="完成认证，写清做过什么、怎么交付，就可以给需求报价。"
              main={{ text: "完善服务商资料", to: OWN_PROFILE }}
              other={{ text: "看需求", to: DEMANDS }}
            />
          </Box>
          <Figures />
        </Box>
      </Box>
      <Wide>
        <Box sx={{ mt: { xs: -4, md: -6 } }}>
          <Newest />
          <Providers />
          <Part title="怎样对接">
            <Box
              component="ol"
              sx={{
                listStyle: "none",
                m: 0,
                p: 0,
                display: "grid",
                gap: 2,
                gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr", md: "repeat(4, 1fr)" },
              }}
            >
              {STEPS.map(([title, text], index) => (
                <Box component="li" key={title} sx={{ borderTop: 2, borderColor: "primary.main", pt: 1.5 }}>
                  <Box className="tabular" sx={{ fontSize: 12, color: "text.secondary" }}>
                    {`第 ${index + 1} 步`}
                  </Box>
                  <Box component="h3" sx={{ m: 0, fontSize: 16, fontWeight: 600 }}>
                    {title}
                  </Box>
                  <Box sx={{ mt: 0.5, fontSize: 13, lineHeight: "20px", color: "text.secondary" }}>
                    {text}
                  </Box>
                </Box>
              ))}
            </Box>
            <Box sx={{ mt: 3, fontSize: 13, color: "text.secondary" }}>{AGREEMENT}</Box>
          </Part>
        </Box>
      </Wide>
    </>
  );
}

interface Way {
  text: string;
  to: string;
}

function Door({ title, text, main, other }: { title: string; text: string; main: Way; other: Way }) {
  return (
    <Box
      component="section"
      aria-label={title}
      sx={{
        p: { xs: 2.5, md: 3 },
        border: 1,
        borderColor: "#243049",
        borderRadius: 2,
        backgroundColor: "rgba(19,26,46,.72)",
      }}
    >
      <Box component="h2" sx={{ m: 0, fontSize: 20, lineHeight: "28px", fontWeight: 600 }}>
        {title}
      </Box>
      <Box sx={{ mt: 0.5, mb: 2, minHeight: { md: 44 }, color: "#A3ADC2" }}>{text}</Box>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.5 }}>
        <Button component={Link} to={main.to} variant="contained">
          {main.text}
        </Button>
        <Button
          component={Link}
          to={other.to}
          variant="outlined"
          sx={{ color: "#E8ECF6", borderColor: "#55617D", "&:hover": { borderColor: "#E8ECF6" } }}
        >
          {other.text}
        </Button>
      </Box>
    </Box>
  );
}

/** Figures of this installation, without examples. */
function Figures() {
  const { data } = useMatchupFiguresQuery({});
  const figures = [
    ["征集中的需求", data?.openDemands],
    ["展示中的服务商", data?.providers],
    ["已选定", data?.chosenDemands],
    ["已结束", data?.closedDemands],
  ] as const;
  return (
    <Box>
      <Box
        component="dl"
        aria-label="本站数字"
        sx={{ m: 0, display: "flex", flexWrap: "wrap", columnGap: { xs: 4, md: 6 }, rowGap: 1.5 }}
      >
        {figures.map(([name, value]) => (
          <Box key={name} sx={{ display: "flex", flexDirection: "column-reverse" }}>
            <Box component="dt" sx={{ fontSize: 13, color: "#A3ADC2" }}>
              {name}
            </Box>
            <Box
              component="dd"
              className="tabular"
              sx={{ m: 0, fontSize: 24, lineHeight: "32px", fontWeight: 600 }}
            >
              {value?.toLocaleString("zh-CN") ?? "—"}
            </Box>
          </Box>
        ))}
      </Box>
      <Box sx={{ mt: 1, minHeight: 20, fontSize: 12, color: "#A3ADC2" }}>
        {data &&
          data.exampleDemands + data.exampleProviders > 0 &&
          `另有示例需求 ${data.exampleDemands} 个、示例服务商 ${data.exampleProviders} 个，不计入数字。`}
      </Box>
    </Box>
  );
}

function Newest() {
  const { data, isError, refetch } = useDemandListQuery({ pageNo: 1, pageSize: SHOWN });
  return (
    <Part title="最新需求" more={DEMANDS}>
      {isError && <ReadFailed dense what="需求" onRetry={() => void refetch()} />}
      {!isError && !data && <RowsWaiting count={SHOWN} what="需求" />}
      {!isError && data?.results.length === 0 && (
        <EmptyState
          dense
          title="还没有公开的需求"
          hint="第一个需求通过审核后会出现在这里。"
          action={
            <Button component={Link} to={NEW_DEMAND} variant="contained">
              发布需求
            </Button>
          }
        />
      )}
      {!isError && data && data.results.length > 0 && (
        <CardRows label="最新需求">
          {data.results.map((demand) => (
            <li key={demand.demandId}>
              <DemandCard demand={demand} />
            </li>
          ))}
        </CardRows>
      )}
    </Part>
  );
}

function Providers() {
  const { data, isError, refetch } = useProviderListQuery({ pageNo: 1, pageSize: SHOWN });
  return (
    <Part title="服务商" more={SERVICES}>
      {isError && <ReadFailed dense what="服务商" onRetry={() => void refetch()} />}
      {!isError && !data && <RowsWaiting count={SHOWN} what="服务商" />}
      {!isError && data?.results.length === 0 && (
        <EmptyState
          dense
          title="还没有服务商"
          hint="完成认证并发布资料的服务商会出现在这里。"
          action={
            <Button component={Link} to={HOME} variant="outlined">
              回到供需对接
            </Button>
          }
        />
      )}
      {!isError && data && data.results.length > 0 && (
        <CardRows label="服务商">
          {data.results.map((card) => (
            <li key={card.providerId}>
              <ProviderCard card={card} />
            </li>
          ))}
        </CardRows>
      )}
    </Part>
  );
}
