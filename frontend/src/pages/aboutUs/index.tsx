import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { getConfig, hasContact } from "@/api/config";
import { useAsk } from "@/features/ask";
import { HeroPoster } from "@/features/home";
import { FactGrid, Section } from "@/features/site";
import { PART_SIZE } from "@/transfer/plan";
import { MB } from "@/transfer/rules";
import { QrCode } from "@/ui/QrCode";
import { telHref } from "@/ui/safeHref";

const PRINCIPLES = [
  {
    title: "看得清",
    text: "先把模型由什么组成、哪里有毛病说清楚，再谈处理。报告里的每个数字都由产品自己数出来。",
  },
  { title: "减得稳", text: "轻，不能以走样为代价。结果写明真正做到的比例和误差，前后并排，由您判断。" },
  { title: "守得住", text: "模型是您的。文件按身份隔离，地址限时有效，删除就是真的删除。" },
] as const;

const PASSAGE = [
  {
    title: "上传",
    text: `由浏览器按 ${PART_SIZE / MB} MB 一片直接送进对象存储，断网、刷新之后只传缺的部分。`,
  },
  { title: "体检", text: "在隔离的进程里打开：不联网，读不到别的文件，内存与时间都有上限。" },
  { title: "处理", text: "原文件一个字节不改，结果另存；同一模型、同样的参数只算一次。" },
  { title: "查看与下载", text: "登录之后才有地址，地址一小时内有效；离线包里的页面不访问任何网络。" },
] as const;

export default function AboutUsPage() {
  const config = getConfig();
  const ask = useAsk();
  return (
    <>
      <Box sx={{ maxWidth: 1240, mx: "auto", px: 2.5, py: { xs: 6, md: 10 } }}>
        <Box
          sx={{
            display: "grid",
            alignItems: "center",
            gap: { xs: 4, md: 10 },
            gridTemplateColumns: { xs: "1fr", md: "minmax(0,1fr) auto" },
          }}
        >
          <Box>
            <Box component="h1" sx={{ m: 0, fontSize: { xs: 32, md: 44 }, lineHeight: 1.3, fontWeight: 600 }}>
              涤除玄览，看清模型
            </Box>
            <Box
              component="p"
              sx={{ m: 0, mt: 2.5, maxWidth: 620, fontSize: 16, lineHeight: "30px", color: "text.secondary" }}
            >
              “玄览”出自《老子》“涤除玄览”：把心镜擦净，才看得深。我们做的事与此相近：让人看清一个三维模型由什么组成、有什么毛病、能轻多少，然后把它送到该去的地方。
            </Box>
            <Box
              component="p"
              sx={{ m: 0, mt: 2, maxWidth: 620, fontSize: 16, lineHeight: "30px", color: "text.secondary" }}
            >
              标志是一只掀起一面的方盒，三面围成一枚透镜：盒子是模型，透镜是我们。
            </Box>
          </Box>
          <Box
            sx={{
              width: { xs: "100%", md: 420 },
              height: { xs: 280, md: 400 },
              borderRadius: 2,
              overflow: "hidden",
              background: "radial-gradient(80% 80% at 60% 45%, #16306E 0%, #0B1020 75%)",
            }}
          >
            <HeroPoster />
          </Box>
        </Box>
      </Box>
      <Section ground="paper" title="一个模型在这里经过什么">
        <FactGrid facts={PASSAGE} columns={4} />
      </Section>
      <Section title="三条准则">
        <FactGrid facts={PRINCIPLES} />
      </Section>
      <Section
        id="contactUs"
        ground="paper"
        title="联系我们"
        note={
          hasContact(config) ? undefined : "这个站点还没有公布联系方式，有事请问在线客服，或留下问题与建议。"
        }
      >
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.5, mb: hasContact(config) ? 4 : 0 }}>
          <Button variant="contained" onClick={ask.chat}>
            在线客服
          </Button>
          <Button variant="outlined" onClick={ask.feedback}>
            问题与建议
          </Button>
        </Box>
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: { xs: 4, md: 10 }, alignItems: "flex-start" }}>
          <Box
            component="dl"
            sx={{
              m: 0,
              display: "grid",
              gridTemplateColumns: "auto 1fr",
              columnGap: 4,
              rowGap: 2,
              fontSize: 16,
              "& dt": { color: "text.secondary" },
              "& dd": { m: 0, overflowWrap: "anywhere" },
              "& a": { color: "primary.main" },
            }}
          >
            {config.hotline && (
              <>
                <dt>热线</dt>
                <dd>
                  <a href={telHref(config.hotline)}>{config.hotline}</a>
                </dd>
              </>
            )}
            {config.contact.email && (
              <>
                <dt>邮箱</dt>
                <dd>
                  <a href={`mailto:${config.contact.email}`}>{config.contact.email}</a>
                </dd>
              </>
            )}
            {config.contact.address && (
              <>
                <dt>地址</dt>
                <dd>{config.contact.address}</dd>
              </>
            )}
          </Box>
          {config.wechatConsultUrl && <QrCode value={config.wechatConsultUrl} label="微信咨询" size={120} />}
          {config.qqConsultUrl && <QrCode value={config.qqConsultUrl} label="QQ 咨询" size={120} />}
        </Box>
      </Section>
      {ask.dialogs}
    </>
  );
}
