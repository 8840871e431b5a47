import { CartPage } from "@/features/cart";

/** Height of the workbench's bottom bar on a phone, in pixels. */
const BAR = 57;

export default function MyShoppCart() {
  return <CartPage foot={BAR} />;
}
