import { createApi } from "@reduxjs/toolkit/query/react";
import { attachCalls } from "@/store/calls";
import { baseQuery } from "./baseQuery";
import { TAGS } from "./generated/tags";

/** The empty API that the generated endpoints of each area are injected into. */
export const baseApi = createApi({
  reducerPath: "api",
  baseQuery,
  tagTypes: TAGS,
  keepUnusedDataFor: 60,
  endpoints: () => ({}),
});

attachCalls({
  reducer: baseApi.reducer,
  middleware: baseApi.middleware,
  reset: () => baseApi.util.resetApiState(),
});
