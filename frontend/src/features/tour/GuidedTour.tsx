import { lazy, Suspense } from "react";
import type { TourName } from "./steps";
import { useTour } from "./useTour";

const TourOverlay = lazy(() => import(/* webpackChunkName: "tour" */ "./TourOverlay"));

/** First-visit tour of a page; its library is loaded only for users who have not seen it. */
export function GuidedTour({ name }: { name: TourName }) {
  const { run, end } = useTour(name);
  if (!run) return null;
  return (
    <Suspense fallback={null}>
      <TourOverlay name={name} onEnd={end} />
    </Suspense>
  );
}
