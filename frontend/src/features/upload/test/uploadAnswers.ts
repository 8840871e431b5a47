import type { Answer } from "@/test/server";
import type { MemoryStore } from "@/transfer/test/memoryStore";
import { sealCredential } from "./sealCredential";

/** Temporary credentials for a store, sealed for user `u1` with token `tok`. */
export function grant(objects: MemoryStore) {
  const seal = (field: string, value: string) => sealCredential(field, value, "tok", "u1", "web", "k1");
  return {
    ak: seal("ak", "AK"),
    sk: seal("sk", "SK"),
    securityToken: seal("securityToken", "ST"),
    server: seal("server", objects.address),
    privateBucket: seal("privateBucket", "private"),
    expiration: Date.now() + 1_800_000,
  };
}

/** Server responses from choosing a file to a check that has started but sent no message yet. */
export const uploadAnswers = (objects: MemoryStore): Record<string, Answer | (() => Answer)> => ({
  getObjectModelFileUploadSettings: {
    datas: ["obj", "fbx"].map((modelFormat) => ({ modelFormat, maxSize: 300 })),
  },
  getSceneModelFileUploadSettings: { datas: [{ modelFormat: "zip", maxSize: 5120 }] },
  getFileMaxSize: { datas: { maxSize: 300, sizes: [] } },
  getHuaweiParam: () => ({ datas: grant(objects) }),
  getLatestClientVersion: { datas: { fileUrl: null } },
  model_checking: { datas: "77" },
  detail: { datas: { fileId: "77", fileName: "齿轮.obj" } },
  get_model_status: {
    datas: {
      status: "",
      tips: "",
      currentTime: 0,
      fileSize: 0,
      format: "",
      animation: false,
      modelNum: 0,
      seq: 0,
      messages: [],
    },
  },
});
