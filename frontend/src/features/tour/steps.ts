/** The two first-visit tours, of five steps each. `target` is the value of a `data-tour` attribute. */
export interface TourStep {
  target: string;
  title: string;
  text: string;
}

/** Location of a tour in the read-status calls. */
export const TOUR_LOCATION = { workbench: 0, personal: 1 } as const;
export type TourName = keyof typeof TOUR_LOCATION;

export const TOURS: Record<TourName, readonly TourStep[]> = {
  workbench: [
    { target: "rail", title: "工作台导航", text: "上传、服务、结果和您的各项记录都从这里进。" },
    { target: "actions", title: "从这里开始", text: "传一个模型，或对已有模型做轻量化、格式转换。" },
    { target: "figures", title: "您的用量", text: "上传数、处理数与已用空间，随时更新。" },
    { target: "recent", title: "最近上传", text: "新传的模型和体检状态在这里，点名称看报告。" },
    { target: "jobs", title: "正在处理", text: "进行中的任务和进度。离开页面也会继续处理。" },
  ],
  personal: [
    { target: "profile", title: "您的资料", text: "昵称、账号与手机号。手机号中间四位始终隐藏。" },
    { target: "membership", title: "会员状态", text: "当前等级与有效期，升级和续费的入口也在这里。" },
    { target: "realname", title: "实名状态", text: "部分功能需要实名，认证进度在这里看。" },
    { target: "balance", title: "账户余额", text: "云币用于付费，收入来自上架的模型。单位是元。" },
    { target: "rail", title: "个人中心导航", text: "充值、优惠券、推广和账号管理从这里进。" },
  ],
};
