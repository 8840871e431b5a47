import { useSearchParams } from "react-router";
import { useMatchupFiguresQuery, useProviderListQuery } from "@/calls/matchup";
import { ProviderCard } from "./Cards";
import { fieldOf, Market, PAGE_SIZE, pageOf } from "./Market";
import { OWN_PROFILE } from "./words";

const SORTS = [
  { id: "", text: "最新加入" },
  { id: "rating", text: "评价从高到低" },
  { id: "done", text: "对接最多" },
];

/** Providers who answer demands. */
export function ServiceMarket() {
  const [query] = useSearchParams();
  const lists = useMatchupFiguresQuery({}).data;
  const list = useProviderListQuery({
    keyword: fieldOf(query, "keyword"),
    skill: fieldOf(query, "skill"),
    industry: fieldOf(query, "industry"),
    region: fieldOf(query, "region"),
    sort: SORTS.some(({ id }) => id === query.get("sort")) ? fieldOf(query, "sort") : "",
    pageNo: pageOf(query),
    pageSize: PAGE_SIZE,
  });
  return (
    <Market
      title="服务市场"
      note="名称来自个人或企业认证，评价来自结束的对接。"
      what="服务商"
      rows={[
        { label: "服务", field: "skill", choices: lists?.skills ?? [] },
        { label: "行业", field: "industry", choices: lists?.industries ?? [] },
        { label: "地区", field: "region", choices: lists?.regions ?? [] },
      ]}
      sorts={SORTS}
      door={{ text: "成为服务商", to: OWN_PROFILE }}
      query={list}
      keyOf={({ providerId }) => providerId}
      card={(card) => <ProviderCard card={card} heading="h2" />}
    />
  );
}
