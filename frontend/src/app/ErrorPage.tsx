import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useEffect } from "react";
import { isRouteErrorResponse, Link, useRouteError } from "react-router";
import { ChunkLoadError } from "@/lib/chunk";
import { failureMessages } from "@/messages/failures";

/** Message of the error that an unknown address raises. */
export const NOT_FOUND_MESSAGE = "This page could not be found";

export interface RouteFailure {
  status: number;
  message: string;
}

/** Status and reason of a route's failure; anything unknown is a 500. */
export function describeFailure(error: unknown): RouteFailure {
  if (isRouteErrorResponse(error)) {
    const data = typeof error.data === "string" ? error.data : "";
    return { status: error.status, message: data || error.statusText || failureMessages.unknown };
  }
  if (error instanceof ChunkLoadError) return { status: 500, message: error.message };
  if (error instanceof Error && error.message) return { status: 500, message: error.message };
  return { status: 500, message: failureMessages.unknown };
}

export function ErrorPage() {
  const failure = describeFailure(useRouteError());
  return <ErrorView {...failure} />;
}

const TITLES: Readonly<Record<number, string>> = {
  404: failureMessages.notFoundTitle,
  410: failureMessages.goneTitle,
};

export function ErrorView({ status, message }: RouteFailure) {
  const missing = status === 404 || status === 410;
  const title = TITLES[status] ?? failureMessages.failedTitle;
  useEffect(() => {
    document.title = `${title} - 玄览云`;
  }, [title]);
  return (
    <Box
      role="alert"
      sx={{
        minHeight: "min(70vh, 640px)",
        display: "grid",
        placeContent: "center",
        justifyItems: "center",
        textAlign: "center",
        px: 3,
        py: 8,
      }}
    >
      {missing && <meta name="robots" content="noindex" />}
      <LostCube />
      <Box
        component="p"
        className="tabular"
        sx={{ m: 0, mt: 4, fontSize: 14, color: "text.secondary", letterSpacing: "0.08em" }}
      >
        {status}
      </Box>
      <Box component="h1" sx={{ m: 0, mt: 1, typography: "h2" }}>
        {title}
      </Box>
      <Box
        component="p"
        sx={{ m: 0, mt: 1.5, maxWidth: 440, color: "text.secondary", overflowWrap: "anywhere" }}
      >
        {status === 404 ? failureMessages.notFoundText : message}
      </Box>
      <Box sx={{ mt: 4, display: "flex", gap: 1.5, flexWrap: "wrap", justifyContent: "center" }}>
        <Button component={Link} to="/" variant="contained" size="large">
          {failureMessages.home}
        </Button>
        {!missing && (
          <Button variant="outlined" size="large" onClick={() => window.location.reload()}>
            {failureMessages.retry}
          </Button>
        )}
      </Box>
    </Box>
  );
}

/** The logo with its upper face drifting off. */
function LostCube() {
  return (
    <svg width="132" height="132" viewBox="0 0 132 132" fill="none" aria-hidden="true">
      <path d="M66 46 108 70v38l-42 22-42-22V70z" stroke="#C9D2E3" strokeWidth="1.5" strokeDasharray="4 4" />
      <path d="M24 70 66 93v37M66 93l42-23" stroke="#C9D2E3" strokeWidth="1.5" strokeDasharray="4 4" />
      <path d="M66 4 108 27 66 50 24 27z" fill="#EAF0FF" stroke="#1F5EFF" strokeWidth="1.5" />
      <ellipse cx="66" cy="27" rx="17" ry="9.5" stroke="#1F5EFF" strokeWidth="1.5" />
      <circle cx="66" cy="93" r="3" fill="#0FA3A3" />
    </svg>
  );
}
