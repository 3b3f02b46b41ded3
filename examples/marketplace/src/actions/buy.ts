import { CURRENCY, type Order, type ShopData } from "../shop-data.ts";
import type { Buyer } from "../people.ts";
import type { Shop } from "../shop.ts";
import { addReport } from "./add-report.ts";

/** The order that lets this buyer download, if there is one. */
export function findPaidOrder(
  data: Readonly<ShopData>,
  resourceId: string,
  buyerId: number,
): Order | undefined {
  return data.orders.find(
    (order) =>
      order.resourceId === resourceId && order.buyerId === buyerId && order.state === "paid",
  );
}

/** The report's key; null if they have it already, or there is no such resource. */
export function buy(shop: Shop, resourceId: string, buyer: Buyer): string | null {
  const at = shop.now();
  return shop.changeResource(resourceId, (resource, data) => {
    if (findPaidOrder(data, resourceId, buyer.id)) return null;
    const id = `order-${shop.newId()}`;
    const amount = resource.price;
    data.orders.push({ id, resourceId, buyerId: buyer.id, at, amount, state: "paid" });
    return addReport(data, resource, id, {
      event: "product.user.purchase",
      occurredAt: at,
      user: { id: buyer.id },
      details: { buyerName: buyer.name, amount, currency: CURRENCY, orderId: id },
    });
  });
}
