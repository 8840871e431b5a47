import { createApi } from "@reduxjs/toolkit/query/react";
import { baseQuery } from "./baseQuery";

/** Tags of what the caches hold; a write names what it makes stale. */
export const tagTypes = [
  "Me",
  "Account",
  "Statistics",
  "Cart",
  "Files",
  "Results",
  "Messages",
  "Coupons",
  "Orders",
  "Guide",
] as const;

/** The empty API that the generated endpoints are injected into. */
export const baseApi = createApi({
  reducerPath: "api",
  baseQuery,
  tagTypes,
  keepUnusedDataFor: 60,
  endpoints: () => ({}),
});
