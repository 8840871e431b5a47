import { createApi } from "@reduxjs/toolkit/query/react";
import { attachCalls } from "@/store/calls";
import { baseQuery } from "./baseQuery";

/**
 * The empty API that the endpoints of each area are injected into. Tags are declared by the calls of an area
 * (src/calls); one that names another area's tag makes that area's caches stale.
 */
export const baseApi = createApi({
  reducerPath: "api",
  baseQuery,
  keepUnusedDataFor: 60,
  endpoints: () => ({}),
});

attachCalls({
  reducer: baseApi.reducer,
  middleware: baseApi.middleware,
  reset: () => baseApi.util.resetApiState(),
});
