import { useEffect, useRef } from "react";
import { invalidateCertification } from "@/calls/auth";
import { useQueue } from "@/realtime";
import { useAppDispatch } from "@/store/hooks";

/** Keeps what every tab says of the person's certification up to date, as the server tells. */
export default function CertificationNews() {
  const dispatch = useAppDispatch();
  const refresh = () => dispatch(invalidateCertification(["Certification", "Me"]));
  const { connections } = useQueue("CERTIFICATION", refresh);
  // What was told while the line was down was not heard; the first connection comes with the page.
  const heard = useRef(connections);
  useEffect(() => {
    if (connections > heard.current && heard.current > 0)
      dispatch(invalidateCertification(["Certification", "Me"]));
    heard.current = connections;
  }, [connections, dispatch]);
  return null;
}
