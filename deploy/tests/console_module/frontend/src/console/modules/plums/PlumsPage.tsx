import { usePlumListQuery } from "../../api/generated/content";
import { Card, PageTitle } from "../../kit/page";
import { Loaded } from "../../kit/states";

export default function PlumsPage() {
  const plums = usePlumListQuery({});
  return (
    <>
      <PageTitle title="梅子" />
      <Card title="全部">
        <Loaded query={plums} what="梅子">
          {({ names }) => names.join("、")}
        </Loaded>
      </Card>
    </>
  );
}
