import { extensionOf } from "./rules";

/** How to upload a model in an unsupported format: which export of its own program to use. */
const WAYS: Record<string, string> = {
  ifc: "IFC 可以在 Revit、Bonsai 等软件里打开，导出 FBX、GLB 或 STEP 后上传。",
  max: "MAX 请在 3ds Max 里导出 FBX 后上传，贴图与它一起打成 ZIP。",
  blend: "BLEND 请在 Blender 里导出 GLB 或 FBX 后上传。",
  skp: "SKP 请在 SketchUp 里导出 DAE 或 OBJ 后上传，贴图与它一起打成 ZIP。",
  c4d: "C4D 请在 Cinema 4D 里导出 FBX 后上传。",
  ma: "Maya 场景请导出 FBX 后上传。",
  mb: "Maya 场景请导出 FBX 后上传。",
  "3dm": "3DM 请在 Rhino 里导出 STEP 或 OBJ 后上传。",
  sldprt: "SolidWorks 零件请导出 STEP 后上传。",
  sldasm: "SolidWorks 装配体请导出 STEP 后上传。",
  prt: "请在原来的软件里导出 STEP 后上传。",
  catpart: "CATIA 零件请导出 STEP 后上传。",
  dwg: "DWG 里的三维实体请导出 STEP 或 STL 后上传。",
  dxf: "DXF 里的三维实体请导出 STEP 或 STL 后上传。",
  usdz: "USD 请导出 GLB 后上传。",
  usd: "USD 请导出 GLB 后上传。",
  "3mf": "3MF 请在切片软件里导出 STL 后上传。",
  "7z": "请解开后重新打成 ZIP 上传。",
  osgb: "OSGB 请连同它的文件夹打成 ZIP，在“倾斜摄影模型”里上传。",
};

export const wayIn = (fileName: string): string | undefined => WAYS[extensionOf(fileName)];
