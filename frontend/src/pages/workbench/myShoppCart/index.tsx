import { CartPage } from "@/features/cart";

/** The bar of the workbench at the foot of a phone, in pixels. */
const BAR = 57;

export default function MyShoppCart() {
  return <CartPage foot={BAR} />;
}
