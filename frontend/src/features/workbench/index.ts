export { Actions } from "./Actions";
export { greetingAt } from "./greeting";
export { RecentUploads } from "./RecentUploads";
export { RunningJobs } from "./RunningJobs";
export { Usage } from "./Usage";
export { useWorkbench } from "./useWorkbench";
