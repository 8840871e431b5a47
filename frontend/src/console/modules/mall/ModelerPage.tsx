import Box from "@mui/material/Box";
import { useParams } from "react-router";
import { useModelerShowQuery } from "../../api/generated/transaction";
import { Loaded } from "../../kit/states";
import { Modeler } from "./Modeler";

/** One maker: the application, its background, and the possible actions. */
export default function ModelerPage() {
  const { id = "" } = useParams();
  const query = useModelerShowQuery({ loginId: id }, { refetchOnMountOrArgChange: true });
  return (
    <Loaded query={query} what="模型师" rows={8}>
      {(found) => (
        <Box key={found.item.loginId}>
          <Modeler found={found} />
        </Box>
      )}
    </Loaded>
  );
}
