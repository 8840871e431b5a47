export { FollowButton } from "./FollowButton";
export { MyConcern } from "./MyConcern";
