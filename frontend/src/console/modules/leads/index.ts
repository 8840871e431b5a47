import type { ConsoleModule } from "../../kit/contract";

const leads: ConsoleModule = {
  id: "leads",
  title: "咨询申请",
  group: "business",
  order: 50,
  icon: "M5 4h4l2 5-2.5 1.5a11 11 0 0 0 5 5L15 13l5 2v4a1 1 0 0 1-1 1A15 15 0 0 1 4 5a1 1 0 0 1 1-1z",
  permission: "lead.read",
  routes: [
    { path: "", title: "咨询申请", load: () => import("./LeadsPage") },
    { path: ":id", title: "一份申请", load: () => import("./LeadPage") },
  ],
  overview: [{ id: "leads-new", title: "待联系的申请", wide: 1, load: () => import("./WaitingCard") }],
  names: {
    "lead.read": "查看咨询申请",
    "lead.manage": "联系与处理咨询申请",
    K262: "查看咨询申请列表",
    K263: "查看咨询申请",
    K264: "查看申请人的手机号",
    K265: "处理咨询申请",
    K266: "删除咨询申请",
  },
};

export default leads;
