import Box from "@mui/material/Box";
import { authMessages } from "@/messages/auth";
import { welcomeMessages } from "@/messages/welcome";
import { ClientVersion } from "@/ui/ClientVersion";
import { safeHref } from "@/ui/safeHref";
import { minute } from "../../kit/format";
import { AdPreview } from "./AdPreview";
import type { Draft } from "./form";
import { usePicture } from "./picture";
import { isUploaded } from "./uploaded";
import { AFTER_REGISTRATION, PLACES, RULES } from "./words";

const frame = {
  border: 1,
  borderColor: "divider",
  borderRadius: 2,
  p: 2,
  backgroundColor: "background.default",
  overflowWrap: "anywhere",
} as const;

/** A text with a link; an invalid web address stays text. */
function Address({ address, children }: { address: string; children?: string }) {
  const href = address.startsWith("/") ? undefined : safeHref(address);
  const text = children || address;
  return href ? (
    <Box
      component="a"
      href={href}
      target="_blank"
      rel="noreferrer noopener"
      sx={{ color: "primary.main", textDecoration: "underline" }}
    >
      {text}
    </Box>
  ) : (
    <Box component="span" sx={{ color: "text.secondary" }}>
      {text}
    </Box>
  );
}

/** Shows an uploaded picture; for one of the site's own files, its name. */
function Picture({ img }: { img: string }) {
  const { src, problem } = usePicture(img);
  if (src) return <AdPreview src={src} title="广告图片" />;
  return (
    <Box
      role={problem ? "alert" : undefined}
      sx={{
        minHeight: 160,
        display: "grid",
        placeItems: "center",
        border: 1,
        borderColor: "divider",
        px: 2,
        color: problem ? "error.main" : undefined,
      }}
    >
      {problem || (isUploaded(img) ? "正在读取图片…" : img ? <Address address={img} /> : "图片")}
    </Box>
  );
}

/** The last step of a registration, which only a published popup brings. */
function Welcome() {
  return (
    <Box sx={{ display: "grid", gap: 1 }}>
      <Box sx={{ ...frame, display: "grid", gap: 1, justifyItems: "start" }}>
        <Box sx={{ fontWeight: 600, fontSize: 16 }}>{authMessages.welcomeTitle}</Box>
        <Box sx={{ color: "text.secondary" }}>{welcomeMessages.hint}</Box>
        <Box sx={{ fontSize: 13 }}>{`按钮：${welcomeMessages.upload}、${welcomeMessages.look}`}</Box>
      </Box>
      <Box sx={{ fontSize: 13, color: "text.secondary" }}>
        展示期间，新用户填写或跳过推广码之后看到这一步；没有发布时直接进入网站。
      </Box>
    </Box>
  );
}

/** The draft as users will see it. */
export function Preview({ draft }: { draft: Draft }) {
  const of = (name: string) => String(draft.fields[name] ?? "").trim();
  switch (draft.kind) {
    case "announcement":
      return (
        <Box component="article" sx={frame}>
          <Box sx={{ fontWeight: 600, fontSize: 16 }}>{of("title") || "标题"}</Box>
          <Box component="time" sx={{ fontSize: 12, color: "text.secondary" }}>
            {draft.startsAt > 0 ? minute(draft.startsAt) : "发布时间"}
          </Box>
          <Box sx={{ mt: 1, whiteSpace: "pre-wrap" }}>{of("content") || "内容"}</Box>
          {of("link") && (
            <Box sx={{ mt: 1 }}>
              <Address address={of("link")} />
            </Box>
          )}
        </Box>
      );
    case "popup": {
      if (draft.fields.place === AFTER_REGISTRATION) return <Welcome />;
      const place = PLACES.find(({ value }) => value === draft.fields.place)?.text;
      const rule = RULES.find(({ value }) => value === draft.fields.popRule)?.text;
      return (
        <Box sx={{ ...frame, textAlign: "center", display: "grid", gap: 1 }}>
          <Box sx={{ fontSize: 12, color: "text.secondary" }}>{`${place} · ${rule}`}</Box>
          <Picture img={of("img")} />
          <Box sx={{ fontSize: 13 }}>
            {of("jumpLink") ? (
              <>
                点击前往 <Address address={of("jumpLink")} />
              </>
            ) : (
              "点击图片不跳转"
            )}
          </Box>
        </Box>
      );
    }
    case "memberPopup":
      return <Box sx={{ ...frame, whiteSpace: "pre-wrap" }}>{of("tipText") || "提示文字"}</Box>;
    case "friendLink":
      return (
        <Box sx={frame}>
          <Box component="span" sx={{ mr: 1, color: "text.secondary" }}>
            友情链接
          </Box>
          <Address address={of("link")}>{of("name") || "名称"}</Address>
        </Box>
      );
    case "clientVersion":
      return (
        <Box sx={{ ...frame, display: "grid", gap: 1.5 }}>
          <Box sx={{ fontSize: 12, color: "text.secondary" }}>
            文件过大或上传失败时，在推荐客户端的对话框中
          </Box>
          <ClientVersion version={of("version")} notes={of("notes")} sha256={of("sha256")} />
          <Address address={of("fileUrl")}>{of("fileUrl") ? "下载客户端" : "未填写安装包地址"}</Address>
        </Box>
      );
  }
}
