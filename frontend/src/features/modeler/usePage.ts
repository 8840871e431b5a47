import {
  type TransactionSaveModelerPageRequest,
  useModelerInfoQuery,
  useMyListingsQuery,
  useSaveModelerPageMutation,
} from "@/calls/listings";
import { useSession } from "@/session";
import { toast } from "@/ui/toast";

/** Maximum number of listings to choose from. */
const OFFERED = 200;

/** Settings of the public page, the listings it may show, and how to save. */
export function usePage() {
  const { loginId } = useSession();
  const info = useModelerInfoQuery({ userId: loginId }, { refetchOnMountOrArgChange: true });
  const listed = useMyListingsQuery({
    userId: loginId,
    isRelase: "true",
    state: "listed",
    pageNo: 1,
    pageSize: OFFERED,
  });
  const [save, { isLoading }] = useSaveModelerPageMutation();
  const page = info.data?.page;
  return {
    page,
    listings: (listed.data?.results ?? []).map(({ listing }) => listing),
    failed: (info.isError && !info.isFetching) || (listed.isError && !listed.isFetching),
    ready: page !== undefined && page !== null && listed.data !== undefined,
    retry: () => {
      void info.refetch();
      void listed.refetch();
    },
    busy: isLoading,
    /** The call replaces the whole page: unchanged fields are sent as they are. */
    save: async (change: Omit<TransactionSaveModelerPageRequest, "userId">): Promise<void> => {
      if (!page) return;
      try {
        await save({
          userId: loginId,
          slogan: page.slogan,
          introduction: page.introduction,
          theme: page.theme,
          bannerId: page.bannerId,
          carouselIds: page.carouselIds.join(","),
          ...change,
        }).unwrap();
        toast.success("已保存，公开页面立即生效");
      } catch {
        // already reported by the shared wrapper
      }
    },
  };
}
