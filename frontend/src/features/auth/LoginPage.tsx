import Box from "@mui/material/Box";
import { useCallback, useEffect, useId, useRef, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { authMessages } from "@/messages/auth";
import { useSession } from "@/session";
import type { AuthDialogStep } from "@/session/dialog";
import { ended } from "@/session/ended";
import { safeReturnUrl } from "@/session/returnUrl";
import { AuthCard } from "./AuthCard";
import { forgetStep, keptStep } from "./afterRegistration";
import type { FactorRequest } from "./factor";
import { useAuthFlow } from "./useAuthFlow";
import { useProviderAnswer } from "./useProviderAnswer";
import { WaitingCard } from "./WaitingCard";

const steps: readonly AuthDialogStep[] = ["login", "register", "rebuild", "bindPhone"];

/**
 * Our own login page: the dialog's card as a page. `returnURL` is the target afterwards (addresses of this site only), `type`
 * selects the first form.
 */
export function LoginPage() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const titleId = useId();
  const session = useSession();
  const returnURL = safeReturnUrl(query.get("returnURL"));
  const asked = steps.find((step) => step === query.get("type"));
  const [kept] = useState(() => keptStep(session.loginId));
  const [state, setState] = useState<{ step: AuthDialogStep; phone: string; factor?: FactorRequest }>({
    // The binding needs a provider's ticket, which a reload or a link has not.
    step: kept ?? (asked === "bindPhone" && !session.bindTicket ? "login" : asked) ?? "login",
    phone: "",
  });

  // Why one is here: for this visit of the page only.
  const [thrownOut] = useState(ended.marked);
  useEffect(ended.forget, []);

  const go = useCallback((step: AuthDialogStep, phone = "") => setState({ step, phone }), []);
  const onFactor = useCallback((factor: FactorRequest) => setState({ step: "login", phone: "", factor }), []);
  // A sign-in here may be followed by further steps, and says itself where to go.
  const busy = useRef(kept !== undefined);
  const leave = useCallback(
    (path: string) => {
      busy.current = true;
      forgetStep();
      void navigate(path, { replace: true });
    },
    [navigate],
  );
  const done = useCallback(() => leave(returnURL), [leave, returnURL]);
  const enter = useAuthFlow(go, done);
  const onToken: typeof enter = useCallback(
    (reply, next) => {
      busy.current = true;
      enter(reply, next);
    },
    [enter],
  );
  const { waiting, answering } = useProviderAnswer({
    go,
    onToken,
    onFactor,
    leave,
    signedIn: session.signedIn,
  });

  // Whoever is signed in already has nothing to do here, whether before the page opened or in another tab since.
  useEffect(() => {
    if (session.signedIn && !answering && !busy.current) done();
  }, [session.signedIn, answering, done]);

  return (
    <Box sx={{ width: "100%", display: "flex", justifyContent: "center", py: { xs: 0, sm: 6 } }}>
      <Box
        sx={{
          position: "relative",
          width: { xs: "100%", sm: 420 },
          bgcolor: "background.paper",
          border: { sm: 1 },
          borderColor: { sm: "divider" },
          borderRadius: { sm: 2 },
          overflow: "hidden",
        }}
      >
        {thrownOut && !waiting && state.step === "login" && (
          <Box
            role="status"
            sx={{ px: { xs: 3, sm: 4 }, py: 1.5, bgcolor: "rgba(217,119,6,.08)", fontSize: 13 }}
          >
            {authMessages.loginEnded}
          </Box>
        )}
        {waiting ? (
          <WaitingCard titleId={titleId} provider={waiting} />
        ) : (
          <AuthCard
            step={state.step}
            phone={state.phone}
            factor={state.factor}
            returnURL={returnURL === "/" ? "" : returnURL}
            titleId={titleId}
            bare
            go={go}
            onToken={onToken}
            onLeave={leave}
          />
        )}
      </Box>
    </Box>
  );
}
