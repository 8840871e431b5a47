import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useGetPopupSettingsMutation } from "@/calls/personal";
import { popupTriggered } from "@/session/dialog";
import { useAppDispatch } from "@/store/hooks";
import { usePromotionCode } from "../usePromotionCode";

interface Props {
  /** The settings request the popup: status '1'. */
  onPopup: () => void;
  /** Status '0', or no settings available: the home page. */
  onHome: () => void;
}

/** The promotion code after a registration: one field, Confirm and Skip. */
export function PromotionForm({ onPopup, onHome }: Props) {
  const dispatch = useAppDispatch();
  const [settings] = useGetPopupSettingsMutation();

  const goOn = async () => {
    const answer = await settings({});
    if (answer.data?.status === "1") {
      dispatch(popupTriggered());
      onPopup();
    } else {
      onHome();
    }
  };
  const { field, confirm, run, busy } = usePromotionCode(goOn);

  return (
    <form onSubmit={(event) => void confirm(event)} noValidate>
      {field}
      <Box sx={{ display: "grid", gridTemplateColumns: "1fr 1fr", gap: 1.5, mt: 1 }}>
        <Button type="button" variant="outlined" size="large" disabled={busy} onClick={() => void run(goOn)}>
          跳过
        </Button>
        <Button type="submit" variant="contained" size="large" disabled={busy}>
          确认
        </Button>
      </Box>
    </form>
  );
}
