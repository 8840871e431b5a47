import type { OrderOrderInfo } from "@/calls/order";

/** Makers whose models must be paid for: personal and enterprise modelers. */
export const paidMaker = (uploaderType: number | null) => uploaderType === 2 || uploaderType === 3;

/** Free counts that an order consumes: one per model. */
export const countsOf = (order: OrderOrderInfo) => Math.max(1, order.orderDetailList.length);
