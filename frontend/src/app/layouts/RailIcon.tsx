import type { RailIconName } from "./railEntries";

/** Line drawings on a 20 px field. */
const PATHS: Record<RailIconName, string> = {
  home: "M3 9l7-6 7 6v8H3zM8 17v-5h4v5",
  upload: "M10 13V3M6 7l4-4 4 4M3 13v4h14v-4",
  service: "M10 2.5l6.5 3.75v7.5L10 17.5l-6.5-3.75v-7.5zM3.5 6.25L10 10l6.5-3.75M10 10v7.5",
  result: "M4 3h8l4 4v10H4zM12 3v4h4M7 12l2 2 4-4",
  model: "M10 2.5l6.5 3.75v7.5L10 17.5l-6.5-3.75v-7.5zM10 6.5a3.5 3.5 0 100 7 3.5 3.5 0 000-7z",
  order: "M4 3h12v14l-3-2-3 2-3-2-3 2zM7 7h6M7 10h6",
  heart: "M10 16.5l-6-6a3.8 3.8 0 015.5-5.2l.5.6.5-.6A3.8 3.8 0 0116 10.5z",
  message: "M3 4h14v10H9l-4 3v-3H3z",
  account: "M10 3a3.5 3.5 0 100 7 3.5 3.5 0 000-7zM3.5 17a6.5 6.5 0 0113 0",
  coin: "M10 3a7 7 0 100 14 7 7 0 000-14zM7 7l3 3.5L13 7M10 10.5V14M7.5 11.5h5",
  coupon: "M3 5h14v3a2 2 0 000 4v3H3v-3a2 2 0 000-4zM12 5v10",
  share:
    "M14 3a2 2 0 100 4 2 2 0 000-4zM6 8a2 2 0 100 4 2 2 0 000-4zM14 13a2 2 0 100 4 2 2 0 000-4zM7.8 9l4.4-3M7.8 11l4.4 3",
  gear: "M10 7a3 3 0 100 6 3 3 0 000-6zM10 2.5v2M10 15.5v2M2.5 10h2M15.5 10h2M4.7 4.7l1.4 1.4M13.9 13.9l1.4 1.4M15.3 4.7l-1.4 1.4M6.1 13.9l-1.4 1.4",
  people:
    "M7.5 4a2.8 2.8 0 100 5.6 2.8 2.8 0 000-5.6zM2 16.5a5.5 5.5 0 0111 0M13 4.3a2.8 2.8 0 010 5M14.8 11.8a5.5 5.5 0 013.2 4.7",
  cart: "M2.5 3.5H5l1.8 9h8.4l1.8-6.5H5.6M8 15.5a1 1 0 100 2 1 1 0 000-2zM14 15.5a1 1 0 100 2 1 1 0 000-2z",
  shop: "M4 8l1-5h10l1 5M4 8v9h12V8M4 8h12M8 17v-5h4v5",
  page: "M3 4h14v12H3zM3 8h14M6 11h5",
  record: "M5 3h10v14H5zM8 7h4M8 10h4M8 13h2",
  work: "M3 4h14v12H3zM3 13l4-4 3 3 3-4 4 5M7 7.5h.01",
  comment:
    "M10 3.5c4 0 7 2.4 7 5.5s-3 5.5-7 5.5c-.8 0-1.6-.1-2.3-.3L4 16l.8-3C3.7 12 3 10.6 3 9c0-3.1 3-5.5 7-5.5zM7 9h6",
  box: "M3 6l7-3 7 3v8l-7 3-7-3zM3 6l7 3 7-3M10 9v8",
};

export function RailIcon({ name }: { name: RailIconName }) {
  return (
    <svg
      width="20"
      height="20"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinejoin="round"
      strokeLinecap="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
