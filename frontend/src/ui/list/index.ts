export { linkColumn, textColumn, timeColumn } from "./columns";
export { ChoiceFilter, type Choices, DaysFilter, ListTabs, SearchFilter } from "./filters";
export { ListPage, type ListQuery } from "./ListPage";
export { RowList } from "./RowList";
export { type ListState, useListAddress, useListState } from "./useListAddress";
