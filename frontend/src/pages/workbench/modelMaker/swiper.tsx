import { ModelerGate, Swiper } from "@/features/modeler";

export default function SwiperPage() {
  return (
    <ModelerGate title="主页轮播">
      <Swiper />
    </ModelerGate>
  );
}
