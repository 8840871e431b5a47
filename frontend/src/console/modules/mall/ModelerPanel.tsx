import Box from "@mui/material/Box";
import { useModelerShowQuery } from "../../api/generated/transaction";
import { wordOf } from "../../kit/choices";
import { Facts } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { Loaded } from "../../kit/states";
import { MAKERS, MODELER_STATES, modelerPath } from "./words";

/** The maker's state on the user's page. */
export default function ModelerPanel({ loginId }: { loginId: string }) {
  const query = useModelerShowQuery({ loginId });
  return (
    <Loaded query={query} what="模型师">
      {({ item, sold }) => (
        <Box sx={{ p: 2 }}>
          <Facts
            facts={[
              ["身份", wordOf(MAKERS, String(item.uploaderType)).text],
              ["状态", wordOf(MODELER_STATES, item.frozen ? "frozen" : item.state).text],
              ["售出", String(sold)],
              [
                "详情",
                <RowLink key="modeler" to={modelerPath(loginId)}>
                  查看与冻结
                </RowLink>,
              ],
            ]}
          />
        </Box>
      )}
    </Loaded>
  );
}
