import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { ThemeProvider } from "@mui/system";
import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { READ_TITLES, WRITTEN_TITLES } from "@/facts/names";
import { darkTheme } from "@/theme";
import { onFirstMove } from "@/ui/firstMove";
import { HeroPoster } from "./HeroPoster";
import type { HeroScene, ModelFacts } from "./heroScene";

/** Radius of the lens in CSS pixels for a stage of this width. */
function lensRadius(width: number): number {
  return Math.max(64, Math.min(112, width * 0.19));
}

function hasWebGl(): boolean {
  try {
    return Boolean(document.createElement("canvas").getContext("webgl2"));
  } catch {
    return false;
  }
}

/**
 * The stage: first the poster, then the live model. The scene's chunk is requested on the visitor's first input, so that it never
 * competes with the page itself; without WebGL the poster stays.
 */
function Stage() {
  const stage = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const ring = useRef<HTMLDivElement>(null);
  const [facts, setFacts] = useState<ModelFacts>();

  useEffect(() => {
    const box = stage.current;
    const target = canvas.current;
    if (!box || !target) return;
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const abort = new AbortController();
    let scene: HeroScene | undefined;
    let resizeWatcher: ResizeObserver | undefined;

    function onPointer(event: PointerEvent) {
      if (!scene || !box) return;
      const rect = box.getBoundingClientRect();
      const x = event.clientX - rect.left;
      const y = event.clientY - rect.top;
      const near = x > -80 && y > -80 && x < rect.width + 80 && y < rect.height + 80;
      scene.setPointer(near ? { x, y } : null);
    }
    function onLeave() {
      scene?.setPointer(null);
    }

    async function begin() {
      if (!target || !box || !hasWebGl()) return;
      try {
        const { startHeroScene } = await import(/* webpackChunkName: "hero" */ "./heroScene");
        scene = await startHeroScene(target, {
          still,
          signal: abort.signal,
          lensRadius: () => lensRadius(box.clientWidth),
        });
      } catch {
        // Without a live model the poster is complete by itself.
        return;
      }
      if (abort.signal.aborted) {
        scene.dispose();
        return;
      }
      scene.onLens((x, y, radius) => {
        const lens = ring.current;
        if (!lens) return;
        lens.style.width = `${radius * 2}px`;
        lens.style.transform = `translate(${x - radius}px, ${y - radius}px)`;
      });
      resizeWatcher = new ResizeObserver(() => scene?.resize());
      resizeWatcher.observe(box);
      setFacts(scene.facts);
    }

    const stopWaiting = onFirstMove(begin);
    window.addEventListener("pointermove", onPointer, { passive: true });
    document.addEventListener("pointerleave", onLeave);
    return () => {
      abort.abort();
      stopWaiting();
      window.removeEventListener("pointermove", onPointer);
      document.removeEventListener("pointerleave", onLeave);
      resizeWatcher?.disconnect();
      scene?.dispose();
    };
  }, []);

  const live = facts !== undefined;
  return (
    <Box
      ref={stage}
      role="img"
      aria-label="玄览云的标志模型：一只掀起一面的方盒，三面围成一枚透镜；放大镜下显出它的线框"
      sx={{ position: "relative", width: "100%", height: { xs: 340, sm: 440, md: 620 }, overflow: "visible" }}
    >
      <Box
        sx={{
          position: "absolute",
          inset: 0,
          opacity: live ? 0 : 1,
          transition: "opacity 600ms ease-out",
          "@media (prefers-reduced-motion: reduce)": { transition: "none" },
        }}
      >
        <HeroPoster />
      </Box>
      <canvas
        ref={canvas}
        style={{
          position: "absolute",
          inset: 0,
          width: "100%",
          height: "100%",
          opacity: live ? 1 : 0,
          transition: "opacity 600ms ease-out",
        }}
      />
      <Box
        ref={ring}
        aria-hidden="true"
        sx={{
          position: "absolute",
          left: 0,
          top: 0,
          aspectRatio: "1",
          borderRadius: "50%",
          pointerEvents: "none",
          opacity: live ? 1 : 0,
          border: "1.5px solid rgba(53,201,195,.85)",
          boxShadow: "0 0 0 6px rgba(53,201,195,.10), inset 0 0 36px rgba(53,201,195,.16)",
          background: "radial-gradient(circle at 32% 26%, rgba(255,255,255,.12), rgba(255,255,255,0) 46%)",
        }}
      >
        {facts && (
          <Box
            sx={{
              position: "absolute",
              top: "100%",
              left: "50%",
              mt: 1.5,
              transform: "translateX(-50%)",
              px: 1.25,
              py: 0.25,
              borderRadius: "4px",
              fontSize: 12,
              lineHeight: "20px",
              whiteSpace: "nowrap",
              color: "#E8ECF6",
              backgroundColor: "rgba(11,16,32,.72)",
              border: "1px solid rgba(53,201,195,.35)",
              fontVariantNumeric: "tabular-nums",
            }}
          >
            {facts.triangles.toLocaleString("zh-CN")} 三角面 · {facts.meshes} 网格 · {facts.materials} 材质
          </Box>
        )}
      </Box>
    </Box>
  );
}

export function Hero() {
  return (
    <ThemeProvider theme={darkTheme}>
      <Box
        component="section"
        aria-labelledby="hero-title"
        sx={{
          position: "relative",
          overflow: "hidden",
          color: "text.primary",
          backgroundColor: "background.default",
          backgroundImage:
            "radial-gradient(60% 80% at 74% 46%, rgba(31,94,255,.28) 0%, rgba(11,16,32,0) 70%), radial-gradient(40% 50% at 12% 100%, rgba(15,163,163,.16) 0%, rgba(11,16,32,0) 70%)",
          "&::before": {
            content: '""',
            position: "absolute",
            inset: 0,
            opacity: 0.5,
            // A fine isometric grid, fading to the left.
            backgroundImage:
              "repeating-linear-gradient(30deg, rgba(91,140,255,.09) 0 1px, transparent 1px 48px), repeating-linear-gradient(-30deg, rgba(91,140,255,.09) 0 1px, transparent 1px 48px)",
            maskImage: "radial-gradient(70% 90% at 74% 50%, #000, transparent)",
          },
        }}
      >
        <Box
          sx={{
            position: "relative",
            maxWidth: 1240,
            mx: "auto",
            px: 2.5,
            pt: { xs: "104px", md: "72px" },
            pb: { xs: 5, md: 0 },
            minHeight: { md: 760 },
            display: "grid",
            alignItems: "center",
            gridTemplateColumns: { xs: "1fr", md: "minmax(0,1fr) minmax(0,1.05fr)" },
            gap: { xs: 1, md: 2 },
          }}
        >
          <Box sx={{ position: "relative", zIndex: 1 }}>
            <Box
              component="h1"
              id="hero-title"
              sx={{
                m: 0,
                fontSize: { xs: 36, sm: 48, lg: 60 },
                lineHeight: 1.22,
                fontWeight: 600,
                letterSpacing: "0.01em",
                textWrap: "balance",
              }}
            >
              让每一个三维模型，
              <Box component="span" sx={{ display: "block", color: "#8FB0FF" }}>
                轻盈抵达。
              </Box>
            </Box>
            <Box
              component="p"
              sx={{ m: 0, mt: 2.5, fontSize: { xs: 18, md: 20 }, lineHeight: 1.6, color: "#C9D2E6" }}
            >
              上传即体检，轻量即发布。
            </Box>
            <Box
              component="p"
              sx={{
                m: 0,
                mt: 1,
                maxWidth: 440,
                textWrap: "pretty",
                color: "text.secondary",
                fontSize: 14,
                lineHeight: "24px",
              }}
            >
              看清模型由什么组成、哪里有毛病、还能轻多少；减完前后并排着看，再下载带走。
            </Box>
            <Box sx={{ mt: 4.5, display: "flex", flexWrap: "wrap", gap: 2 }}>
              <Button
                component={Link}
                to="/workbench/myUpload?upload=1"
                variant="contained"
                size="large"
                sx={{
                  px: 4,
                  color: "#fff",
                  backgroundColor: "#1F5EFF",
                  "&:hover": { backgroundColor: "#3D74FF" },
                }}
              >
                上传模型
              </Button>
              <Button
                component="a"
                href="#weight"
                size="large"
                sx={{
                  px: 3,
                  color: "#fff",
                  border: "1px solid rgba(232,236,246,.32)",
                  "&:hover": { borderColor: "#fff" },
                }}
              >
                看看能轻多少
              </Button>
            </Box>
            <Box
              component="p"
              sx={{ m: 0, mt: 3, fontSize: 12, lineHeight: "20px", color: "text.secondary" }}
            >
              读入 {READ_TITLES}，输出 {WRITTEN_TITLES}
            </Box>
          </Box>
          <Stage />
        </Box>
      </Box>
    </ThemeProvider>
  );
}
