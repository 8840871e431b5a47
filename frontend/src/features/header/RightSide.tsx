import Box from "@mui/material/Box";
import ButtonBase from "@mui/material/ButtonBase";
import { lazy, Suspense } from "react";
import { useAuthDialog, useSession } from "@/session";
import { AccountMenu, RightParts } from "./RightParts";

function SignInLinks() {
  const auth = useAuthDialog();
  return (
    <Box sx={{ display: "flex", alignItems: "center", whiteSpace: "nowrap" }}>
      <ButtonBase
        disableRipple
        onClick={() => auth.open("login")}
        sx={{ font: "inherit", px: 1, height: 40, color: "inherit" }}
      >
        登录
      </ButtonBase>
      <Box component="span" aria-hidden="true" sx={{ opacity: 0.4 }}>
        /
      </Box>
      <ButtonBase
        disableRipple
        onClick={() => auth.open("register")}
        sx={{ font: "inherit", px: 1, height: 40, color: "inherit" }}
      >
        注册
      </ButtonBase>
    </Box>
  );
}

/** What is known of the person without asking the server. */
function SessionOnly() {
  const { avatar, nickname } = useSession();
  return <RightParts account={<AccountMenu url={avatar} name={nickname} />} />;
}

/** Asks the server who the person is: a visitor loads neither this nor the calls it needs. */
const SignedIn = lazy(() =>
  import(/* webpackChunkName: "signed-in" */ "./SignedIn").catch(() => ({ default: SessionOnly })),
);

/** The right end of the header. */
export function RightSide() {
  const { signedIn } = useSession();
  if (!signedIn) return <RightParts account={<SignInLinks />} />;
  return (
    <Suspense fallback={<SessionOnly />}>
      <SignedIn />
    </Suspense>
  );
}
