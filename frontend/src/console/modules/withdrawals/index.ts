import type { ConsoleModule } from "../../kit/contract";

const withdrawals: ConsoleModule = {
  id: "withdrawals",
  title: "收入提现",
  group: "business",
  order: 30,
  icon: "M4 7h16v11H4zM4 11h16M12 5V2.500M9.500 4.500 12 2l2.500 2.500M7.500 15h3",
  permission: "withdrawal.read",
  routes: [
    { path: "", title: "收入提现", load: () => import("./QueuePage") },
    { path: ":id", title: "一笔提现", load: () => import("./WithdrawalPage") },
  ],
  overview: [{ id: "withdrawals-waiting", title: "待办提现", wide: 1, load: () => import("./WaitingCard") }],
  userPanels: [{ id: "withdrawals", title: "提现", load: () => import("./UserPanel") }],
  names: {
    "withdrawal.read": "查看提现",
    "withdrawal.decide": "审核提现",
    "withdrawal.pay": "提现打款",
    K210: "查看提现列表",
    K211: "查看提现详情",
    K212: "通过提现",
    K213: "拒绝提现",
    K214: "领取打款",
    K215: "退回打款",
    K216: "登记已打款",
    K217: "登记打款失败",
    K218: "查看收款卡号",
  },
};

export default withdrawals;
