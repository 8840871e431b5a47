import type { OrderOrderInfo } from "@/calls/order";

/** Makers who have to be paid for their models: personal and enterprise modelers. */
export const paidMaker = (uploaderType: number | null) => uploaderType === 2 || uploaderType === 3;

/** Free counts that an order takes: one for each of its models. */
export const countsOf = (order: OrderOrderInfo) => Math.max(1, order.orderDetailList.length);
