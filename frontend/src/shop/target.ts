/** Where a page goes after a payment; undefined: it reloads. */
export function successTarget(pathname: string): string | undefined {
  const path = pathname.replace(/\/+$/, "") || "/";
  switch (path) {
    case "/common/recharge":
    case "/workbench/account/accountRecharge":
      return `${path}?isPay=1`;
    case "/modelEditor/zuvModel":
      return "/workbench/myModel";
    case "/common/pay":
      return "/";
    case "/activity/blindBox":
      return `${path}?showStatus=3`;
    default:
      return undefined;
  }
}
