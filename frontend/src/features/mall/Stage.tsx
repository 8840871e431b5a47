import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import ButtonBase from "@mui/material/ButtonBase";
import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import { useEffect, useMemo, useState } from "react";
import type { TransactionListingPicture, TransactionModelDetailReply } from "@/calls/transaction";
import { markAsked } from "@/lib/asked";
import { pictureGroups } from "@/messages/pictures";
import { onFirstMove } from "@/ui/firstMove";
import { SeamlessPicture } from "@/ui/SeamlessPicture";
import { WholePicture } from "@/ui/WholePicture";
import { ModelPreview } from "@/viewer";
import { readFacts } from "./facts";

interface View {
  id: string;
  name: string;
  /** On its button, where no small picture stands there. */
  short: string;
  picture?: TransactionListingPicture;
}

interface Shelf {
  kind: string;
  title: string;
  views: readonly View[];
}

const PROXY: View = { id: "3d", name: "三维查看", short: "3D" };
/** On the first shelf, beside the 3D proxy. */
const FIRST: readonly string[] = ["beauty", "turntable"];
/** No renders, but maps: shown without a ground made of their edges. */
const MAPS: readonly string[] = ["uv", "texture"];
/**
 * Kinds with their picture on the button. The buttons show the originals, as there are no smaller ones: of a wireframe, 2048 pixels
 * wide, or of the turntable, which moves, that is up to 600 KB. These have their name there.
 */
const PICTURED: readonly string[] = ["beauty", "texture"];

/** The views that open the page, then the other kinds, a shelf each. */
function shelvesOf({ pictures, proxyUrl }: TransactionModelDetailReply): readonly Shelf[] {
  const groups = pictureGroups(pictures.filter(({ url }) => url)).map(({ kind, title, pictures: named }) => ({
    kind,
    title,
    views: named.map(
      ({ picture, name, short }): View => ({ id: name, name, short: short || title, picture }),
    ),
  }));
  const opening = groups.filter(({ kind }) => FIRST.includes(kind)).flatMap(({ views }) => views);
  const first = { kind: "first", title: "展示图", views: proxyUrl ? [PROXY, ...opening] : opening };
  return [first, ...groups.filter(({ kind }) => !FIRST.includes(kind))].filter(
    ({ views }) => views.length > 0,
  );
}

/** Whether the small pictures are due: after the large one, or as soon as somebody is at the page. */
function useDue(): [due: boolean, setDue: () => void] {
  const [due, setDue] = useState(false);
  const [now] = useState(() => () => setDue(true));
  useEffect(() => onFirstMove(now), [now]);
  return [due, now];
}

/** The model's picture at once, its 3D proxy on request, and all other pictures below, by kind. */
export function Stage({ detail }: { detail: TransactionModelDetailReply }) {
  const shelves = useMemo(() => shelvesOf(detail), [detail]);
  const marked = useMemo(() => readFacts(detail.facts).proxy?.marked ?? true, [detail.facts]);
  const [id, setId] = useState<string>();
  const [turned, setTurned] = useState(false);
  const [due, setDue] = useDue();
  const { listing } = detail;
  const views = shelves.flatMap((shelf) => shelf.views);
  const poster = views.find((view) => view.picture?.kind === "beauty")?.picture?.url || listing.thumbUrl;
  const shown = views.find((view) => view.id === id) ?? views[0];
  const still = shown?.picture?.url ?? poster;
  const open = shelves.find((shelf) => shelf.views.some((view) => view === shown));

  return (
    <Box>
      <Box
        sx={{
          position: "relative",
          aspectRatio: { xs: "1", sm: "4 / 3" },
          border: 1,
          borderColor: "divider",
          borderRadius: 2,
          overflow: "hidden",
          background: "linear-gradient(180deg,#F3F5F9,#E6EAF2)",
        }}
      >
        {shown === PROXY && turned ? (
          // Without a poster: its bright ground does not match the stage.
          <ModelPreview live url={detail.proxyUrl} name={listing.name} />
        ) : (
          still &&
          (shown?.picture && MAPS.includes(shown.picture.kind) ? (
            <WholePicture src={still} alt={`${listing.name}，${shown.name}`} />
          ) : (
            <SeamlessPicture
              eager
              src={still}
              alt={shown?.picture ? `${listing.name}，${shown.name}` : listing.name}
              onLoad={setDue}
            />
          ))
        )}
        {shown === PROXY && !turned && (
          <Button
            variant="contained"
            onClick={() => {
              markAsked();
              setTurned(true);
            }}
            sx={{ position: "absolute", left: "50%", bottom: 24, transform: "translateX(-50%)" }}
          >
            三维查看
          </Button>
        )}
      </Box>
      {shown && (
        <Box sx={{ mt: 1, minHeight: 20, fontSize: 12, lineHeight: "20px", color: "text.secondary" }}>
          {shown === PROXY ? `可转动的是${marked ? "带水印的" : ""}简化模型，购买后得到原模型。` : shown.name}
        </Box>
      )}
      {open && shelves.length > 1 && (
        <Tabs
          value={open.kind}
          onChange={(_, kind: string) => setId(shelves.find((shelf) => shelf.kind === kind)?.views[0]?.id)}
          variant="scrollable"
          aria-label="图片种类"
          sx={{ minHeight: 40, "& .MuiTab-root": { minHeight: 40, minWidth: 0 } }}
        >
          {shelves.map(({ kind, title }) => (
            <Tab key={kind} value={kind} label={title} />
          ))}
        </Tabs>
      )}
      {open && shown && open.views.length > 1 && (
        <Strip views={open.views} shown={shown} loads={({ url }) => due || url === still} onChoose={setId} />
      )}
    </Box>
  );
}

/** The views of a shelf, each as a button. */
function Strip({
  views,
  shown,
  loads,
  onChoose,
}: {
  views: readonly View[];
  shown: View;
  /** Whether a button's picture may be loaded; until then its name stands there. */
  loads: (picture: TransactionListingPicture) => boolean;
  onChoose: (id: string) => void;
}) {
  const pictured = ({ picture }: View) => picture !== undefined && PICTURED.includes(picture.kind);
  return (
    <Box
      role="group"
      aria-label="图片"
      sx={{ display: "flex", gap: 1, mt: 1, pb: 1, overflowX: "auto", scrollbarWidth: "thin" }}
    >
      {views.map((view) => (
        <ButtonBase
          key={view.id}
          disableRipple
          aria-label={view === PROXY ? `3D ${view.name}` : view.name}
          aria-pressed={view === shown}
          onClick={() => onChoose(view.id)}
          sx={{
            flex: "none",
            width: 72,
            height: views.some(pictured) ? 72 : 40,
            borderRadius: 1,
            overflow: "hidden",
            border: 2,
            borderColor: view === shown ? "primary.main" : "divider",
            fontSize: 13,
            fontWeight: 600,
            color: "primary.main",
            backgroundColor: "background.paper",
          }}
        >
          {view.picture && pictured(view) && loads(view.picture) ? (
            <Box
              component="img"
              src={view.picture.url}
              alt=""
              loading="lazy"
              fetchPriority="low"
              decoding="async"
              sx={{ width: "100%", height: "100%", objectFit: "cover" }}
            />
          ) : (
            view.short
          )}
        </ButtonBase>
      ))}
    </Box>
  );
}
