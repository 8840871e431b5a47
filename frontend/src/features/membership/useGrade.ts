import { useQueryInfoQuery } from "@/calls/personal";
import { useSession } from "@/session";
import { type Grade, gradeOf } from "@/ui/MemberBadge";

export interface MyGrade {
  grade: Grade;
  /** Unix time in milliseconds at which it ends. */
  expires: number | null;
  /** Whether the server has said so; a grade that is not known yet reads as the free edition. */
  known: boolean;
}

/** The grade of whoever is here; the free edition for a visitor. */
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
