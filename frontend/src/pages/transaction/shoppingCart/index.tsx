import Box from "@mui/material/Box";
import { CartPage } from "@/features/cart";

/** The same cart, in the mall's layout. */
export default function ShoppingCart() {
  return (
    <Box sx={{ maxWidth: 1280, mx: "auto", px: { xs: 2, md: 2.5 }, py: { xs: 2.5, md: 4 } }}>
      <CartPage />
    </Box>
  );
}
