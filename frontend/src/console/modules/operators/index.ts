import type { ConsoleModule } from "../../kit/contract";

const operators: ConsoleModule = {
  id: "operators",
  title: "运营人员",
  group: "system",
  order: 30,
  icon: "M12 3l7 3v5.5c0 4.4-3 7.6-7 9.5-4-1.9-7-5.1-7-9.5V6zM9.5 12l2 2 3.5-4",
  permission: "operator.read",
  names: {
    "operator.read": "查看运营人员",
    "operator.manage": "管理运营人员与角色",
    K02: "开通账号",
    K03: "登录",
    K04: "退出登录",
    K05: "再次确认身份",
    K07: "查看运营人员",
    K08: "添加运营人员",
    K09: "设置运营人员的角色",
    K10: "停用或启用运营人员",
    K11: "重置运营人员的登录方式",
    K12: "查看角色",
    K13: "保存角色",
    K14: "删除角色",
    K15: "修改自己的密码",
    K16: "更换自己的恢复码",
    K17: "查看自己的登录",
    K18: "结束自己的登录",
    K19: "开始更换自己的验证器",
    K33: "更换自己的验证器",
  },
  routes: [
    { path: "", title: "运营人员", load: () => import("./OperatorsPage") },
    { path: "roles", title: "角色与权限", load: () => import("./RolesPage") },
  ],
};

export default operators;
