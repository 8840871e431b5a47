export { ApplyForm } from "./ApplyForm";
export { BudgetTool } from "./BudgetTool";
export { FormatTool } from "./FormatTool";
export { Landing } from "./Landing";
export { LibraryTool } from "./LibraryTool";
