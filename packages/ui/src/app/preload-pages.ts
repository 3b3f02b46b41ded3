/** Once the first page stands, the others are fetched, so that they open at once, and also without a network. */
export function preloadPages(): void {
  const load = (): void => {
    void Promise.allSettled([
      import("../activity/activity-chart.tsx"),
      import("../deliveries/delivery-page.tsx"),
      import("../deliveries/log-page.tsx"),
      import("../events/events-page.tsx"),
      import("../webhooks/add-page.tsx"),
      import("../webhooks/webhook-page.tsx"),
    ]);
  };
  if ("requestIdleCallback" in globalThis) requestIdleCallback(load);
  else setTimeout(load, 500);
}
