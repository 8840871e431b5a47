import Box from "@mui/material/Box";

/** A whole square render in a wider box: its edge pixels are stretched to the sides, without a seam. */
export function SeamlessPicture({
  src,
  alt,
  eager = false,
  onLoad,
  onError,
}: {
  src: string;
  alt: string;
  /** Above the fold: loaded at once, before other pictures. */
  eager?: boolean;
  onLoad?: () => void;
  onError?: () => void;
}) {
  return (
    <>
      {(["left", "right"] as const).map((side) => (
        <Box
          key={side}
          aria-hidden
          style={{ backgroundImage: `url(${JSON.stringify(src)})`, backgroundPosition: side }}
          sx={{
            position: "absolute",
            top: 0,
            [side]: 0,
            width: "50%",
            height: "100%",
            backgroundSize: "5000% 100%",
          }}
        />
      ))}
      <Box
        component="img"
        src={src}
        alt={alt}
        loading={eager ? "eager" : "lazy"}
        fetchPriority={eager ? "high" : "auto"}
        onLoad={onLoad}
        onError={onError}
        sx={{ position: "relative", width: "100%", height: "100%", objectFit: "contain", display: "block" }}
      />
    </>
  );
}
