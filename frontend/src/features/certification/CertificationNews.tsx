import { invalidateCertification } from "@/calls/auth";
import { useNews } from "@/realtime";
import { useAppDispatch } from "@/store/hooks";

/** Keeps what every tab says of the person's certification up to date, as the server tells. */
export default function CertificationNews() {
  const dispatch = useAppDispatch();
  const refresh = () => dispatch(invalidateCertification(["Certification", "Me"]));
  useNews("CERTIFICATION", refresh);
  return null;
}
