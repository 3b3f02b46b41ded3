/** Of all prices. */
export const CURRENCY = "EUR";
