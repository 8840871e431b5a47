export { CAPABILITIES, CapabilityPicture } from "./capabilityPictures";
export { Facts } from "./Facts";
export { Hero } from "./Hero";
export { BelowNear, WeightSplitNear } from "./late";
export { WeightSplit } from "./WeightSplit";
