import { useCertificationQueueQuery } from "../../api/generated/auth";
import { Loaded, Nothing } from "../../kit/states";
import { History } from "./History";

const SHOWN = 10;

/** Certification requests of one user. */
export default function UserPanel({ loginId }: { loginId: string }) {
  const query = useCertificationQueueQuery(
    { loginId, state: "all", size: SHOWN },
    { refetchOnMountOrArgChange: true },
  );
  return (
    <Loaded query={query} what="认证">
      {({ items }) => (
        <History caption="该用户的认证申请" items={items} empty={<Nothing title="没有提交过认证" />} />
      )}
    </Loaded>
  );
}
