import Box from "@mui/material/Box";

/** The user's round picture; without one, the first character of the name. */
export function Avatar({ url, name, size = 36 }: { url?: string | null; name: string; size?: number }) {
  const first = Array.from(name)[0] ?? "玄";
  if (url) {
    return (
      <Box
        component="img"
        src={url}
        alt=""
        sx={{ width: size, height: size, borderRadius: "50%", objectFit: "cover", display: "block" }}
      />
    );
  }
  return (
    <Box
      component="span"
      aria-hidden="true"
      sx={{
        width: size,
        height: size,
        borderRadius: "50%",
        display: "grid",
        placeItems: "center",
        fontSize: size * 0.42,
        fontWeight: 600,
        color: "#fff",
        background: "linear-gradient(140deg,#3E73F5,#1749D1)",
        flex: "none",
      }}
    >
      {first}
    </Box>
  );
}
