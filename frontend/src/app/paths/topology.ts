import { area } from "./area";

/** Topology services and messages: pages with a name of their own that need login. */
const { page, soon } = area({ layout: "default", access: "login" });

export const topologyPaths = [
  soon("/topology/modelService", "拓扑服务"),
  soon("/topology-modelService", "拓扑服务"),
  page("/message", "消息"),
  soon("/topology/management", "拓扑管理"),
  soon("/topology-management", "拓扑管理"),
] as const;
