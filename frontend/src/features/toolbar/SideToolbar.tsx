import Box from "@mui/material/Box";
import { useState } from "react";
import { useNavigate } from "react-router";
import { getConfig } from "@/api/config";
import { useAsk } from "@/features/ask";
import { FloatingBar, FloatingCell } from "@/ui/FloatingBar";
import FeedbackIcon from "@/ui/icons/InfoOutlined";
import HelpIcon from "@/ui/icons/MenuBookOutlined";
import PhoneIcon from "@/ui/icons/PhoneOutlined";
import WechatIcon from "@/ui/icons/QrCode2Outlined";
import QqIcon from "@/ui/icons/QuestionAnswerOutlined";
import ChatIcon from "@/ui/icons/SupportAgentOutlined";
import CollapseIcon from "@/ui/icons/UnfoldLessOutlined";
import ExpandIcon from "@/ui/icons/UnfoldMoreOutlined";
import TopIcon from "@/ui/icons/VerticalAlignTopOutlined";
import { QrCode } from "@/ui/QrCode";
import { telHref } from "@/ui/safeHref";
import { useScrolledPast } from "@/ui/useScrolledPast";

/** Scroll offset in pixels beyond which the back-to-top button is shown. */
export const BACK_TO_TOP_BEYOND = 600;

const ICON = { fontSize: 20 } as const;

function scrollToTop(): void {
  const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  window.scrollTo({ top: 0, behavior: still ? "auto" : "smooth" });
}

/** The side toolbar. Entries without configuration are left out; without an external chat it opens our own. */
export function SideToolbar() {
  const [expanded, setExpanded] = useState(true);
  const past = useScrolledPast(BACK_TO_TOP_BEYOND);
  const navigate = useNavigate();
  const config = getConfig();
  const ask = useAsk();
  return (
    <FloatingBar label="侧边工具栏" bareOnPhone={!past}>
      <Box sx={{ display: { xs: "none", md: "block" } }}>
        {config.qqConsultUrl && (
          <FloatingCell
            icon={<QqIcon sx={ICON} />}
            text="QQ"
            label="QQ 咨询"
            panel={<QrCode value={config.qqConsultUrl} label="扫码QQ 咨询" />}
          />
        )}
        <FloatingCell icon={<ChatIcon sx={ICON} />} text="客服" label="在线客服" onClick={ask.chat} />
        {expanded && (
          <>
            <FloatingCell
              icon={<HelpIcon sx={ICON} />}
              text="帮助"
              label="帮助文档"
              onClick={() => navigate("/helpCenter")}
            />
            {config.hotline && (
              <FloatingCell
                icon={<PhoneIcon sx={ICON} />}
                text="热线"
                label={`热线 ${config.hotline}`}
                panel={
                  <Box sx={{ whiteSpace: "nowrap" }}>
                    <Box sx={{ fontSize: 12, color: "text.secondary" }}>服务热线</Box>
                    <Box
                      component="a"
                      href={telHref(config.hotline)}
                      sx={{
                        fontSize: 20,
                        fontWeight: 600,
                        fontVariantNumeric: "tabular-nums",
                        color: "inherit",
                        textDecoration: "none",
                      }}
                    >
                      {config.hotline}
                    </Box>
                  </Box>
                }
              />
            )}
          </>
        )}
        {config.wechatConsultUrl && (
          <FloatingCell
            icon={<WechatIcon sx={ICON} />}
            text="微信"
            label="微信咨询"
            panel={<QrCode value={config.wechatConsultUrl} label="扫码微信咨询" />}
          />
        )}
        <FloatingCell
          icon={<FeedbackIcon sx={ICON} />}
          text="反馈"
          label="反馈问题与建议"
          onClick={ask.feedback}
        />
        <FloatingCell
          icon={expanded ? <CollapseIcon sx={ICON} /> : <ExpandIcon sx={ICON} />}
          text={expanded ? "收起" : "展开"}
          label={expanded ? "收起工具栏" : "展开工具栏"}
          expanded={expanded}
          onClick={() => setExpanded((shown) => !shown)}
        />
      </Box>
      {past && (
        <FloatingCell icon={<TopIcon sx={ICON} />} text="顶部" label="回到顶部" onClick={scrollToTop} />
      )}
      {ask.dialogs}
    </FloatingBar>
  );
}
