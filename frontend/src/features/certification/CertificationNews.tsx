import { invalidateCertification } from "@/calls/auth";
import { useNews } from "@/realtime";
import { useAppDispatch } from "@/store/hooks";

/** Refreshes the certification state in every tab when the server publishes a change. */
export default function CertificationNews() {
  const dispatch = useAppDispatch();
  const refresh = () => dispatch(invalidateCertification(["Certification", "Me"]));
  useNews("CERTIFICATION", refresh);
  return null;
}
