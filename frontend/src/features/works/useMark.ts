import { useNavigate } from "react-router";
import { useCollectWorkMutation, useLikeWorkMutation, type WorksWorkCard } from "@/calls/works";
import { loginAddress, useSession } from "@/session";

/** Sends a visitor to sign in, with the address to return to; returns whether it did. */
export function useLoginFirst(): () => boolean {
  const { signedIn } = useSession();
  const navigate = useNavigate();
  return () => {
    if (signedIn) return false;
    const { pathname, search, hash } = window.location;
    const { href, external } = loginAddress(`${pathname}${search}${hash}`);
    if (external) window.location.assign(href);
    else void navigate(href);
    return true;
  };
}

/** Likes and collects a work; a visitor signs in first. */
export function useMark(card: WorksWorkCard) {
  const { loginId } = useSession();
  const loginFirst = useLoginFirst();
  const [like, liking] = useLikeWorkMutation();
  const [collect, collecting] = useCollectWorkMutation();
  const asked = { userId: loginId, worksId: card.id };
  // Failures are reported by the shared wrapper.
  return {
    liked: card.isLike,
    collected: card.isCollection,
    busy: liking.isLoading || collecting.isLoading,
    turnLike: () => {
      if (!loginFirst()) void like({ ...asked, operate: card.isLike ? "CANCEL" : "LIKE" });
    },
    turnCollect: () => {
      if (!loginFirst()) void collect({ ...asked, operate: card.isCollection ? "CANCEL" : "COLLECT" });
    },
  };
}
