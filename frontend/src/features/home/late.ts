import { whenNear } from "@/ui/whenNear";

/** Content below the first screen is loaded as it comes near. */
export const WeightSplitNear = whenNear(
  () => import(/* webpackChunkName: "home-below" */ "./WeightSplit").then((module) => module.WeightSplit),
  480,
  { eager: true },
);
export const BelowNear = whenNear(
  () => import(/* webpackChunkName: "home-below" */ "./Below").then((module) => module.Below),
  2200,
  { eager: true },
);
