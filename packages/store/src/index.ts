export * from "./port/administration.ts";
export * from "./port/deliveries.ts";
export * from "./port/delivery-log.ts";
export * from "./port/events.ts";
export * from "./port/instances.ts";
export * from "./port/resources.ts";
export * from "./port/store.ts";
export * from "./port/webhooks.ts";
