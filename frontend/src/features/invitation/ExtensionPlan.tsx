import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useEffect } from "react";
import { Link, useSearchParams } from "react-router";
import { cleanPromotion, isSameCode, rememberCode } from "@/features/auth";
import { useAuthDialog, useSession } from "@/session";
import { CopyText } from "@/ui/CopyText";
import { dateText } from "@/ui/dateText";
import { useExtension } from "./useExtension";

const STEPS = [
  ["分享", "登录后在“我的推广”取得推广码、邀请链接和二维码。"],
  ["注册", "好友打开链接注册账号，注册后 7 天内填写推广码。"],
  ["奖励", "好友上传的首个模型通过体检后，双方都会收到云币。"],
] as const;

const RULES = [
  "每位用户只能填写一次推广码，且不能填写自己的推广码。",
  "奖励金额与每月上限以“我的推广”中显示的为准。",
  "疑似批量注册的邀请需要人工审核，审核通过后发放奖励。",
  "奖励以云币发放，可用于购买会员与处理服务，不可提现。",
];

/** What a visitor can do with the code of the address; `useful` if they may enter it. */
function useCodeOf(address: string): { code: string; note: string; useful: boolean } {
  const { signedIn } = useSession();
  const code = cleanPromotion(address.replace(/[^0-9A-Za-z]/g, ""));
  const { data, isError } = useExtension(1, 1, signedIn && code !== "");
  if (!signedIn) return { code, note: "好友的推广码，注册后填写", useful: code !== "" };
  if (isError && !data) return { code, note: "好友的推广码，注册后 7 天内可在“我的推广”填写", useful: true };
  if (!data) return { code, note: "推广码", useful: false };
  if (isSameCode(code, data.inviteCode))
    return { code, note: "这是您自己的推广码。邀请链接和二维码在“我的推广”，发给好友即可", useful: false };
  return data.enterUntil
    ? { code, note: `好友的推广码，${dateText(data.enterUntil)} 之前可在“我的推广”填写`, useful: true }
    : { code, note: "好友的推广码。您已填写过推广码，或已超过填写期限", useful: false };
}

/** Public page of the plan; invitation links lead here with the code in the address. */
export function ExtensionPlan() {
  const { signedIn } = useSession();
  const dialog = useAuthDialog();
  const [query] = useSearchParams();
  const { code, note, useful } = useCodeOf(query.get("code") ?? "");
  useEffect(() => {
    if (useful) rememberCode(code);
  }, [code, useful]);
  return (
    <Box sx={{ maxWidth: 960, mx: "auto", px: 3, py: { xs: 5, md: 9 } }}>
      <Box
        component="h1"
        sx={{ m: 0, fontSize: { xs: 30, md: 44 }, lineHeight: 1.3, fontWeight: 600, textWrap: "balance" }}
      >
        邀请好友，双方都得云币
      </Box>
      <Box sx={{ mt: 2, fontSize: 16, color: "text.secondary" }}>好友的首个模型通过体检，奖励就会到账。</Box>
      {code && (
        <Box
          sx={{
            mt: 4,
            p: 2.5,
            borderRadius: 2,
            border: 1,
            borderColor: "primary.main",
            display: "inline-block",
          }}
        >
          <Box sx={{ fontSize: 13, color: "text.secondary" }}>{note}</Box>
          <Box sx={{ mt: 0.5, fontSize: 20, fontWeight: 600 }}>
            <CopyText text={code} label="推广码" />
          </Box>
        </Box>
      )}
      <Box sx={{ mt: 4, display: "flex", gap: 1.5 }}>
        {signedIn ? (
          <Button component={Link} to="/workbench/account/myExtension" variant="contained" size="large">
            我的推广
          </Button>
        ) : (
          <>
            <Button variant="contained" size="large" onClick={() => dialog.open("register")}>
              免费注册
            </Button>
            <Button variant="outlined" size="large" onClick={() => dialog.open("login")}>
              登录
            </Button>
          </>
        )}
      </Box>
      <Box
        component="ol"
        sx={{
          m: 0,
          mt: 8,
          p: 0,
          listStyle: "none",
          display: "grid",
          gap: 3,
          gridTemplateColumns: { md: "repeat(3, 1fr)" },
        }}
      >
        {STEPS.map(([title, text], index) => (
          <Box component="li" key={title} sx={{ pt: 2, borderTop: 2, borderColor: "primary.main" }}>
            <Box sx={{ fontSize: 13, color: "text.secondary" }} className="tabular">{`0${index + 1}`}</Box>
            <Box component="h2" sx={{ m: 0, mt: 0.5, fontSize: 20, fontWeight: 600 }}>
              {title}
            </Box>
            <Box sx={{ mt: 1, color: "text.secondary" }}>{text}</Box>
          </Box>
        ))}
      </Box>
      <Box component="h2" sx={{ mt: 8, mb: 2, fontSize: 20, fontWeight: 600 }}>
        规则
      </Box>
      <Box component="ul" sx={{ m: 0, pl: 2.5, color: "text.secondary", lineHeight: "28px" }}>
        {RULES.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </Box>
    </Box>
  );
}
