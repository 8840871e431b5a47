import { createApi } from "@reduxjs/toolkit/query/react";
import { baseQuery } from "./baseQuery";

/** The empty API that each area injects its endpoints into; tags are declared by the area. */
export const baseApi = createApi({
  reducerPath: "api",
  baseQuery,
  keepUnusedDataFor: 60,
  endpoints: () => ({}),
});
