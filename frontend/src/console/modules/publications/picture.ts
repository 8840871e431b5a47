import { useEffect, useState } from "react";
import { messageOf } from "../../api/envelope";
import { personalApi, usePublicationPictureMutation } from "../../api/generated/personal";
import { runQuery } from "../../api/run";
import { readFile } from "../../kit/file";
import { isUploaded } from "./uploaded";

/** Largest size of a picture; the service checks the same. */
const MOST_MB = 3;
export const PICTURE_HINT = `上传 jpg、png、bmp、gif、webp 图片，不超过 ${MOST_MB}M（动图保留首帧）；也可填写站内路径`;

/** Base64 of a file. Errors: with a message for the user. */
function encoded(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(new Error("图片没有读取成功，请重新选择"));
    reader.readAsDataURL(file);
  });
}

/** Uploads pictures: returns the address, or the problem. */
export function useUpload(): (file: File) => Promise<{ img: string } | { problem: string }> {
  const [send] = usePublicationPictureMutation();
  return async (file) => {
    if (file.size > MOST_MB * 1024 * 1024) return { problem: `单个文件不能超过${MOST_MB}M` };
    try {
      const { img } = await send({ data: await encoded(file) }).unwrap();
      return { img };
    } catch (error) {
      const said = messageOf(error) || (error instanceof Error && error.message);
      return { problem: said || "没有上传成功，请稍后重试。" };
    }
  };
}

interface Seen {
  img: string;
  src?: string;
  problem?: string;
}

/** An uploaded picture as users see it: the console itself loads nothing from the store, its service does. */
export function usePicture(img: string): Omit<Seen, "img"> {
  const [seen, setSeen] = useState<Seen>({ img: "" });
  useEffect(() => {
    if (!isUploaded(img)) return undefined;
    let alive = true;
    let src = "";
    const ask = personalApi.endpoints.publicationPictureShow.initiate;
    readFile((offset) => runQuery(ask({ img, offset }, { forceRefetch: true, subscribe: false })))
      .then(({ blob }) => {
        if (!alive) return;
        src = URL.createObjectURL(blob);
        setSeen({ img, src });
      })
      .catch((error) => alive && setSeen({ img, problem: messageOf(error) || "图片没有读取成功" }));
    return () => {
      alive = false;
      if (src) URL.revokeObjectURL(src);
    };
  }, [img]);
  return seen.img === img ? seen : {};
}
