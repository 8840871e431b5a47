import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import { type ComponentType, lazy, Suspense, useState } from "react";
import type { Recipe } from "./blocks";
import { Caption, Picture, PictureFrame } from "./Picture";
import { useSample } from "./samples";
import { useInView } from "./useInView";

const LiveStage = lazy(() => import(/* webpackChunkName: "article-live" */ "./LiveStage"));
const CompareStage: ComponentType = lazy(
  () => import(/* webpackChunkName: "article-compare" */ "./CompareStage"),
);

/** A model that can be turned: a picture first, the 3D model once it is in view. */
export function LiveModel({ recipe, note }: { recipe: Recipe; note: string }) {
  const [ref, seen] = useInView();
  const [asked, setAsked] = useState(false);
  const { listing } = useSample(recipe);
  const poster = <Picture recipe={recipe} alt={note} />;
  return (
    <Box component="figure" ref={ref} sx={{ m: 0, mt: 3 }}>
      <PictureFrame ratio="4 / 3">
        {listing && (seen || asked) ? (
          <Suspense fallback={poster}>
            <LiveStage listing={listing} poster={poster} />
          </Suspense>
        ) : (
          <>
            {poster}
            {listing && (
              <Button
                variant="contained"
                onClick={() => setAsked(true)}
                sx={{ position: "absolute", left: "50%", bottom: 20, transform: "translateX(-50%)" }}
              >
                转动看看
              </Button>
            )}
          </>
        )}
      </PictureFrame>
      {note && <Caption>{note}</Caption>}
    </Box>
  );
}

/**
 * Demonstrates mesh reduction. The recipe's model is only a picture; the mesh to compare is generated in the page and labelled
 * so: the figures beside it are counted from the drawn meshes.
 */
export function LiveCompare({ recipe, note }: { recipe: Recipe; note: string }) {
  const [asked, setAsked] = useState(false);
  return (
    <Box component="figure" sx={{ m: 0, mt: 3 }}>
      {asked ? (
        <>
          <Suspense
            fallback={<Skeleton variant="rounded" sx={{ width: "100%", height: { xs: 480, md: 580 } }} />}
          >
            <CompareStage />
          </Suspense>
          <Caption>这是页面里当场生成的一个结，左边原样，右边减面；数字数自画出来的网格。</Caption>
        </>
      ) : (
        <PictureFrame>
          <Picture recipe={recipe} alt={note} />
          <Button
            variant="contained"
            onClick={() => setAsked(true)}
            sx={{ position: "absolute", left: "50%", bottom: 20, transform: "translateX(-50%)" }}
          >
            拖动一个实例对比
          </Button>
        </PictureFrame>
      )}
      {note && <Caption>{note}</Caption>}
    </Box>
  );
}
