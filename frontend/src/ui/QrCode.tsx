import Box from "@mui/material/Box";
import { whenNear } from "./whenNear";

const QrImage = whenNear(
  () => import(/* webpackChunkName: "qrcode" */ "qrcode.react").then((module) => module.QRCodeSVG),
  0,
);

/** A QR code of `value` with a caption; always dark on white so that phones can read it. */
export function QrCode({ value, label, size = 128 }: { value: string; label: string; size?: number }) {
  return (
    <Box component="figure" sx={{ m: 0, display: "inline-block", textAlign: "center" }}>
      <Box
        sx={{
          p: 1,
          borderRadius: "4px",
          backgroundColor: "#fff",
          lineHeight: 0,
        }}
      >
        <Box sx={{ width: size, height: size }}>
          <QrImage
            value={value}
            size={size}
            level="M"
            fgColor="#1B2130"
            role="img"
            aria-label={`${label}二维码`}
          />
        </Box>
      </Box>
      <Box component="figcaption" sx={{ mt: 1, fontSize: 12, color: "text.secondary" }}>
        {label}
      </Box>
    </Box>
  );
}
