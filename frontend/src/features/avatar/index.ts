export { Avatar } from "./Avatar";
export { useAvatarData } from "./data";
export { AvatarPanel } from "./late";
export { personalNickname, realNameOf } from "./model";
