import { useSearchParams } from "react-router";
import { useDemandListQuery, useMatchupFiguresQuery } from "@/calls/matchup";
import { DemandCard } from "./Cards";
import { fieldOf, Market, PAGE_SIZE, pageOf } from "./Market";
import { NEW_DEMAND } from "./words";

const SORTS = [
  { id: "", text: "最新发布" },
  { id: "budget", text: "预算从高到低" },
  { id: "until", text: "最先截止" },
];

/** Demands open for offers. */
export function DemandMarket() {
  const [query] = useSearchParams();
  const lists = useMatchupFiguresQuery({}).data;
  const list = useDemandListQuery({
    keyword: fieldOf(query, "keyword"),
    category: fieldOf(query, "category"),
    industry: fieldOf(query, "industry"),
    sort: SORTS.some(({ id }) => id === query.get("sort")) ? fieldOf(query, "sort") : "",
    pageNo: pageOf(query),
    pageSize: PAGE_SIZE,
  });
  return (
    <Market
      title="需求市场"
      note="审核过的需求。联系方式在选定之后才对双方可见。"
      what="需求"
      rows={[
        { label: "类别", field: "category", choices: lists?.categories ?? [] },
        { label: "行业", field: "industry", choices: lists?.industries ?? [] },
      ]}
      sorts={SORTS}
      door={{ text: "发布需求", to: NEW_DEMAND }}
      query={list}
      keyOf={({ demandId }) => demandId}
      card={(demand) => <DemandCard demand={demand} heading="h2" />}
    />
  );
}
