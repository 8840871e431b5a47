export { CAPABILITIES, CapabilityPicture } from "./capabilityPictures";
export { Facts } from "./Facts";
export { Hero } from "./Hero";
export { HeroPoster } from "./HeroPoster";
export { BelowNear, WeightSplitNear } from "./late";
export { WeightSplit } from "./WeightSplit";
