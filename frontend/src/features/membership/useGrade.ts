import { useQueryInfoQuery } from "@/calls/personal";
import { useSession } from "@/session";
import { type Grade, gradeOf } from "@/ui/MemberBadge";

export interface MyGrade {
  grade: Grade;
  /** Expiry, Unix time in milliseconds. */
  expires: number | null;
  /** Whether the server has answered; until then the grade reads as the free edition. */
  known: boolean;
}

/** The current user's grade; the free edition for visitors. */
export function useGrade(): MyGrade {
  const { signedIn, loginId } = useSession();
  const { data, isLoading } = useQueryInfoQuery({ userId: loginId }, { skip: !signedIn });
  const info = signedIn ? data : undefined;
  return {
    grade: gradeOf(info),
    expires: info?.expirationTime ?? null,
    known: !signedIn || !isLoading,
  };
}
