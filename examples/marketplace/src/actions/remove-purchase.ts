import { CURRENCY, type RemovalKind } from "../shop-data.ts";
import { buyerName } from "../people.ts";
import type { Shop } from "../shop.ts";
import { addReport } from "./add-report.ts";

const REASON = { refund: "Refunded by the owner", chargeback: "Chargeback by the buyer's bank" };

/**
 * The report's key; null if there is no such order, or it was refunded already. A bank sends a chargeback as often as
 * it likes, also after a refund, and each is reported.
 */
export function removePurchase(
  shop: Shop,
  resourceId: string,
  orderId: string,
  kind: RemovalKind,
): string | null {
  const at = shop.now();
  return shop.changeResource(resourceId, (resource, data) => {
    const order = data.orders.find((one) => one.id === orderId && one.resourceId === resourceId);
    if (order === undefined) return null;
    if (kind === "refund" && order.state !== "paid") return null;
    order.state = kind === "refund" ? "refunded" : "charged back";
    const id = `${kind}-${shop.newId()}`;
    data.removals.push({ id, orderId, kind, at });
    return addReport(data, resource, id, {
      event: "product.user.purchaseRemoved",
      occurredAt: at,
      user: { id: order.buyerId },
      details: {
        buyerName: buyerName(order.buyerId),
        amount: order.amount,
        currency: CURRENCY,
        orderId,
        reason: REASON[kind],
      },
    });
  });
}
