import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { type PointerEvent, useEffect, useMemo, useRef } from "react";
import { Link, useNavigate } from "react-router";
import { useHomepageRecommendQuery, type WorksWorkCard } from "@/calls/works";
import { EmptyState } from "@/ui/EmptyState";
import { ReadFailed } from "@/ui/ReadFailed";
import { LinesSkeleton } from "@/ui/Skeletons";
import { Part, Wide } from "@/ui/Wide";
import { ballPlaces, turned } from "./ballPlaces";
import { WorkCards } from "./WorkCard";
import { HOME, workPath } from "./words";

const ON_IT = 24;
/** Radians per second while the user does not turn it. */
const IDLE = 0.16;
/** Radians per pixel. */
const DRAG = 0.008;
/** Pixels a pointer may move for a click. */
const CLICK_SLACK = 5;
const MOST_PITCH = 1.1;

/** A ball of works to turn, and the same works as a list. */
export function WorksBall() {
  const { data, isError, refetch } = useHomepageRecommendQuery({ size: ON_IT });
  return (
    <Wide>
      <Box component="h1" sx={{ m: 0, fontSize: { xs: 24, md: 32 }, lineHeight: 1.3, fontWeight: 600 }}>
        作品球
      </Box>
      <Box component="p" sx={{ m: 0, mt: 1, color: "text.secondary" }}>
        拖动球体转一转，点开一件作品；下面是同一批作品的列表。
      </Box>
      {isError && <ReadFailed what="作品" onRetry={() => void refetch()} />}
      {!isError && !data && <LinesSkeleton lines={12} />}
      {data && data.length === 0 && (
        <EmptyState
          title="还没有公开的作品"
          hint="有作品公开后，会出现在球体上。"
          action={
            <Button component={Link} to={HOME} variant="contained">
              去作品页
            </Button>
          }
        />
      )}
      {data && data.length > 0 && (
        <>
          <Ball cards={data} />
          <Part title="球上的作品" more={HOME}>
            <WorkCards cards={data} label="球上的作品" />
          </Part>
        </>
      )}
    </Wide>
  );
}

const still = (): boolean =>
  typeof window.matchMedia === "function" && window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Visual and pointer use only: the list below is accessible to all users. */
function Ball({ cards }: { cards: readonly WorksWorkCard[] }) {
  const navigate = useNavigate();
  const ball = useRef<HTMLDivElement>(null);
  const places = useMemo(() => ballPlaces(cards.length), [cards.length]);
  const pose = useRef({ yaw: 0.4, pitch: 0.2, held: false, moved: 0, x: 0, y: 0 });

  useEffect(() => {
    let frame = 0;
    let last = performance.now();
    const draw = (now: number) => {
      const box = ball.current;
      if (!box) return;
      const seconds = Math.min(0.1, (now - last) / 1000);
      last = now;
      const { held, pitch } = pose.current;
      if (!held && !still()) pose.current.yaw += IDLE * seconds;
      const radius = Math.min(box.clientWidth, box.clientHeight) * 0.38;
      for (const [index, item] of [...box.children].entries()) {
        const place = places[index];
        if (!place || !(item instanceof HTMLElement)) continue;
        const { x, y, z } = turned(place, pose.current.yaw, pitch);
        const size = 0.62 + 0.38 * ((z + 1) / 2);
        item.style.transform = `translate(-50%, -50%) translate(${x * radius}px, ${y * radius}px) scale(${size})`;
        item.style.zIndex = String(Math.round((z + 1) * 100));
        item.style.opacity = String(0.35 + 0.65 * ((z + 1) / 2));
      }
      frame = requestAnimationFrame(draw);
    };
    frame = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(frame);
  }, [places]);

  const down = (event: PointerEvent<HTMLElement>) => {
    Object.assign(pose.current, { held: true, moved: 0, x: event.clientX, y: event.clientY });
    event.currentTarget.setPointerCapture?.(event.pointerId);
  };
  const move = ({ clientX, clientY }: PointerEvent) => {
    const now = pose.current;
    if (!now.held) return;
    now.yaw += (clientX - now.x) * DRAG;
    now.pitch = Math.max(-MOST_PITCH, Math.min(MOST_PITCH, now.pitch - (clientY - now.y) * DRAG));
    now.moved += Math.abs(clientX - now.x) + Math.abs(clientY - now.y);
    Object.assign(now, { x: clientX, y: clientY });
  };
  const up = ({ clientX, clientY }: PointerEvent) => {
    const { held, moved } = pose.current;
    pose.current.held = false;
    if (!held || moved > CLICK_SLACK) return;
    const on = document
      .elementsFromPoint(clientX, clientY)
      .map((element) => (element instanceof HTMLElement ? element.dataset.work : undefined))
      .find(Boolean);
    const card = cards.find(({ id }) => id === on);
    if (card) void navigate(workPath(card));
  };

  return (
    <Box
      ref={ball}
      aria-hidden
      data-testid="ball"
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={() => {
        pose.current.held = false;
      }}
      sx={{
        position: "relative",
        mt: 3,
        height: { xs: 360, md: 560 },
        borderRadius: 2,
        overflow: "hidden",
        cursor: "grab",
        touchAction: "pan-y",
        userSelect: "none",
        background: "radial-gradient(circle at 50% 45%, #1A2A52, #0B1020 70%)",
        "&:active": { cursor: "grabbing" },
      }}
    >
      {cards.map((card) => (
        <Box
          key={card.id}
          data-work={card.id}
          sx={{
            position: "absolute",
            top: "50%",
            left: "50%",
            width: { xs: 76, md: 112 },
            aspectRatio: "1",
            borderRadius: 2,
            border: "1px solid rgba(255,255,255,.24)",
            overflow: "hidden",
            backgroundColor: "#131A2E",
            backgroundSize: "cover",
          }}
          style={
            card.preview || card.pcPreview
              ? { backgroundImage: `url(${JSON.stringify(card.preview || card.pcPreview)})` }
              : undefined
          }
        />
      ))}
    </Box>
  );
}
