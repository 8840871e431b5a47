import Button from "@mui/material/Button";
import { useEffect, useState } from "react";
import { useAttentionMutation } from "@/calls/personal";
import { useAuthDialog, useSession } from "@/session";

/** Only the latest followed users are requested; following is idempotent, so an older one does no harm. */
const KNOWN = 50;

/** Follows or unfollows a maker; a visitor signs in first. `light`: on the page's own ground, not on a dark banner. */
export function FollowButton({ targetId, light = false }: { targetId: string; light?: boolean }) {
  const { loginId, signedIn } = useSession();
  const dialog = useAuthDialog();
  const [ask] = useAttentionMutation();
  const [change, { isLoading }] = useAttentionMutation();
  const [following, setFollowing] = useState(false);

  useEffect(() => {
    setFollowing(false);
    if (!loginId) return;
    let stale = false;
    ask({ operation: "list", personalAttentionRequest: { userId: loginId, pageNo: 1, pageSize: KNOWN } })
      .unwrap()
      .then((page) => !stale && setFollowing(page.results.some((one) => one.targetId === targetId)))
      // Unknown: the button offers to follow.
      .catch(() => undefined);
    return () => {
      stale = true;
    };
  }, [ask, loginId, targetId]);

  if (loginId === targetId) return null;
  async function turn() {
    if (!signedIn) {
      dialog.open("login");
      return;
    }
    const operation = following ? "unfollow" : "follow";
    const done = await change({ operation, personalAttentionRequest: { userId: loginId, targetId } });
    if (done.data) setFollowing(done.data.following);
  }
  return (
    <Button
      variant={light && following ? "outlined" : "contained"}
      color={light && following ? "inherit" : "primary"}
      loading={isLoading}
      aria-pressed={following}
      onClick={() => void turn()}
      sx={
        following && !light
          ? { bgcolor: "rgba(255,255,255,.16)", "&:hover": { bgcolor: "rgba(255,255,255,.24)" } }
          : undefined
      }
    >
      {following ? "已关注" : "关注"}
    </Button>
  );
}
