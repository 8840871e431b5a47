import type { workbenchPaths } from "../paths/workbench";
import type { Loaders } from "./page";

export const workbenchLoaders: Loaders<typeof workbenchPaths> = {
  "/workbench": () => import("@/pages/workbench/home"),
  "/workbench/index1": () => import("@/pages/workbench/home"),
  "/workbench/indexOld": () => import("@/pages/workbench/home"),
  "/workbench/myOrder": () => import("@/pages/workbench/myOrder"),
  "/workbench/myUpload": () => import("@/pages/workbench/myUpload"),
  "/workbench/myUpload/editDialog": () => import("@/pages/workbench/myUpload/editDialog"),
  "/workbench/myUpload/lightweight": () => import("@/pages/workbench/myUpload/lightweight"),
  "/workbench/myUpload/publishDialog": () => import("@/pages/workbench/myUpload/publishDialog"),
  "/workbench/myUpload/sourceFile": () => import("@/pages/workbench/myUpload/sourceFile"),
  "/workbench/service": () => import("@/pages/workbench/service"),
  "/workbench/service/modelSelector": () => import("@/pages/workbench/service/modelSelector"),
  "/workbench/service/paramPlane": () => import("@/pages/workbench/service"),
  "/workbench/service/paramSelector": () => import("@/pages/workbench/service"),
  "/workbench/serviceResult": () => import("@/pages/workbench/serviceResult"),
  "/workbench/serviceResult/details": () => import("@/pages/workbench/serviceResult/details"),
  "/workbench/serviceResult/list": () => import("@/pages/workbench/serviceResult"),
  "/workbench/simpleUpload": () => import("@/pages/workbench/simpleUpload"),
};
