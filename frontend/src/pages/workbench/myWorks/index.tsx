import { useSearchParams } from "react-router";
import { MyWorks, SharePage, WorkEditor } from "@/features/works";

/** The user's works, the one in the address, or its shares. */
export default function MyWorksPage() {
  const [query] = useSearchParams();
  const shared = query.get("share")?.slice(0, 64);
  if (shared !== undefined) return <SharePage key={shared} worksId={shared} />;
  const worksId = query.get("id")?.slice(0, 64);
  return worksId ? <WorkEditor key={worksId} worksId={worksId} /> : <MyWorks />;
}
