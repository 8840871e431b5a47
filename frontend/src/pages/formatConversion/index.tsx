import Box from "@mui/material/Box";
import { FORMATS } from "@/facts/formats";
import { READ_COUNT, WRITTEN_COUNT } from "@/facts/names";
import { CapabilityPicture } from "@/features/home";
import { FactGrid, ProductHero, Section } from "@/features/site";
import { whenNear } from "@/ui/whenNear";

const SHOWN = FORMATS.filter((row) => row.reads === "model" && row.uploads);

const CARES = [
  {
    title: "单位与朝向",
    text: "各家软件的轴向和单位不同。读入时统一，输出时照目标格式的规矩写，不会一转就大一百倍。",
  },
  { title: "缺图不闷着", text: "压缩包里少了哪张贴图，体检报告写出文件名，补齐再传即可。" },
  { title: "结果可查", text: "每次转换都留下记录：用了什么参数，得到多大的文件，随时再下载。" },
] as const;

function FormatTable() {
  return (
    <Box
      tabIndex={0}
      role="region"
      aria-label="格式对照表"
      sx={{
        overflowX: "auto",
        "& table": { width: "100%", minWidth: 640, borderCollapse: "collapse" },
        "& th, & td": {
          px: 2,
          py: 1.75,
          textAlign: "left",
          borderBottom: 1,
          borderColor: "divider",
          verticalAlign: "top",
        },
        "& thead th": { fontSize: 12, color: "text.secondary", fontWeight: 500, whiteSpace: "nowrap" },
        "& tbody th": { fontWeight: 600, whiteSpace: "nowrap" },
        "& td": { color: "text.secondary" },
      }}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">格式</th>
            <th scope="col">读入</th>
            <th scope="col">输出</th>
            <th scope="col">带得走的内容</th>
            <th scope="col">说明</th>
          </tr>
        </thead>
        <tbody>
          {SHOWN.map((format) => (
            <tr key={format.name}>
              <th scope="row">{format.title}</th>
              <td>{format.reading}</td>
              <td>{format.writes ? "可以" : "—"}</td>
              <td>{format.carries}</td>
              <td>{format.note}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Box>
  );
}

/** The content service's text for this page, if any. */
const ProductText = whenNear(() => import("@/features/article").then((module) => module.PlacedText), 0);

export default function FormatConversionPage() {
  return (
    <>
      <ProductHero
        title="格式转换"
        lead="手里是 FBX，对方要 GLB；手里是扫描的 PLY，打印机要 STL。选好目标格式，转完直接下载。"
        action={{ text: "上传模型开始", to: "/workbench/myUpload?upload=1" }}
        second={{ text: "选已有模型", to: "/workbench/service?serviceName=convert" }}
        picture={<CapabilityPicture kind="convert" />}
      />
      <Section ground="paper" title={`${READ_COUNT} 种读入，${WRITTEN_COUNT} 种输出`}>
        <FormatTable />
      </Section>
      <Section title="转的时候，在意这些">
        <FactGrid facts={CARES} />
      </Section>
      <ProductText kind="product" />
    </>
  );
}
