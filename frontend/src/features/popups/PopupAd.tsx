import { useEffect, useState } from "react";
import { useGetPopupSettingsMutation } from "@/calls/personal";
import { useTurn } from "@/features/tour";
import { doneToday, wasDoneToday } from "@/session/daily";
import { PopupAdDialog } from "./late";
import type { Place } from "./places";

/** Rule of an ad that is shown on every visit of its page; any other rule means once a day. */
const ALWAYS = 1;

interface Ad {
  img: string;
  jumpLink: string;
}

/** Whether the picture can be loaded. */
function drawable(src: string): Promise<boolean> {
  return new Promise((resolve) => {
    const image = new Image();
    image.onload = () => resolve(true);
    image.onerror = () => resolve(false);
    image.src = src;
  });
}

/** The ad of a page: shown only once its picture is loaded. */
export function PopupAd({ place }: { place: Place }) {
  const [ask] = useGetPopupSettingsMutation();
  const [ad, setAd] = useState<Ad>();
  useEffect(() => {
    let alive = true;
    const look = async () => {
      const { data } = await ask({ type: place });
      if (!data?.img || (data.popRule !== ALWAYS && wasDoneToday(`ad${place}`))) return;
      if ((await drawable(data.img)) && alive) setAd({ img: data.img, jumpLink: data.jumpLink ?? "" });
    };
    void look();
    return () => {
      alive = false;
    };
  }, [ask, place]);
  const turn = useTurn(ad !== undefined);
  // Counts as seen, however it is closed.
  useEffect(() => {
    if (turn) doneToday(`ad${place}`);
  }, [turn, place]);
  if (!ad || !turn) return null;
  return <PopupAdDialog {...ad} onClose={() => setAd(undefined)} />;
}
