import { createApi } from "@reduxjs/toolkit/query/react";
import { baseQuery } from "./baseQuery";
import { TAGS } from "./generated/tags";

/** The empty API into which the generated endpoints of each area are injected. */
export const baseApi = createApi({
  reducerPath: "api",
  baseQuery,
  tagTypes: TAGS,
  // What a colleague has changed meanwhile must not be shown as it was when a page is opened again.
  keepUnusedDataFor: 0,
  endpoints: () => ({}),
});
