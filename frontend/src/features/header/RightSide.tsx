import Box from "@mui/material/Box";
import ButtonBase from "@mui/material/ButtonBase";
import { Suspense, useState } from "react";
import { optional } from "@/lib/chunk";
import { useAuthDialog, useSession } from "@/session";
import { useAppSelector } from "@/store/hooks";
import { AccountMenu, type KnownPerson, RightParts } from "./RightParts";

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

/** Loads the user's data from the server; visitors load neither this nor the calls it needs. */
const SignedIn = optional<{ onKnown: (person: KnownPerson) => void }>(
  () => import(/* webpackChunkName: "signed-in" */ "./SignedIn"),
);

/** Shows session data until the server has answered. The parts stay mounted, so that a menu opened early stays open. */
function PersonSide() {
  const { avatar, nickname } = useSession();
  const unread = useAppSelector(({ session }) => session.hasUnreadMessage);
  const [person, setPerson] = useState<KnownPerson>({});
  return (
    <>
      <RightParts
        cartCount={person.cartCount}
        grade={person.grade}
        expires={person.expires}
        account={
          <AccountMenu
            url={person.avatar ?? avatar}
            name={person.name || nickname}
            certified={person.certified}
            unread={unread}
          />
        }
      />
      <Suspense fallback={null}>
        <SignedIn onKnown={setPerson} />
      </Suspense>
    </>
  );
}

/** The right end of the header. */
export function RightSide() {
  const { signedIn, loginId } = useSession();
  return signedIn ? <PersonSide key={loginId} /> : <RightParts account={<SignInLinks />} />;
}
