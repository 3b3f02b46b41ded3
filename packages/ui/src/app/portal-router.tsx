import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  useRouter,
} from "@tanstack/react-router";
import type { ComponentType } from "react";
import { readBuyer, readFilter, readOpen } from "../deliveries/log-filter.ts";
import { lazyPart, PartFailure } from "../shared/lazy-part.tsx";
import { LoadingView, MessageView } from "../shared/page.tsx";
import { loadAgain } from "../session/page-location.ts";
import { readTab } from "../session/place.ts";
import { WebhooksPage } from "../webhooks/webhooks-page.tsx";
import { PortalFrame } from "./portal-frame.tsx";
import { words } from "../words/first-words.ts";

/** Instead of a page that threw an error. */
function PageFailure() {
  const router = useRouter();
  return (
    <PartFailure busy={false} onRetry={() => void loadAgain().catch(() => router.invalidate())} />
  );
}

const root = createRootRoute({
  component: PortalFrame,
  notFoundComponent: () => (
    <MessageView title={words.app.noSuchPage}>{words.app.chooseAbove}</MessageView>
  ),
});

/** Only the first page comes with the first load. */
function page(load: () => Promise<ComponentType>) {
  return lazyPart(load, { Waiting: LoadingView });
}

const webhooks = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: WebhooksPage,
});

const add = createRoute({
  getParentRoute: () => root,
  path: "/add",
  component: page(async () => (await import("../webhooks/add-page.tsx")).AddPage),
  validateSearch: (search: Record<string, unknown>): { resourceId?: string } =>
    typeof search["resourceId"] === "string" ? { resourceId: search["resourceId"] } : {},
});

const webhook = createRoute({
  getParentRoute: () => root,
  path: "/webhooks/$webhookId",
  component: page(async () => (await import("../webhooks/webhook-page.tsx")).WebhookPage),
  validateSearch: (search: Record<string, unknown>) => ({
    ...readFilter(search),
    ...readOpen(search),
    ...readTab(search),
  }),
});

const log = createRoute({
  getParentRoute: () => root,
  path: "/deliveries",
  component: page(async () => (await import("../deliveries/delivery-log.tsx")).LogPage),
  validateSearch: (search: Record<string, unknown>) => ({
    ...readFilter(search),
    ...readOpen(search),
  }),
});

const delivery = createRoute({
  getParentRoute: () => root,
  path: "/deliveries/$deliveryId",
  component: page(async () => (await import("../deliveries/delivery-view.tsx")).DeliveryPage),
});

const events = createRoute({
  getParentRoute: () => root,
  path: "/events",
  component: page(async () => (await import("../events/events-page.tsx")).EventsPage),
  validateSearch: (search: Record<string, unknown>) => ({
    ...readOpen(search),
    ...readBuyer(search),
  }),
});

export const portalRouter = createRouter({
  routeTree: root.addChildren([webhooks, add, webhook, log, delivery, events]),
  // The fragment needs no server, so that pages work under any path and in a frame.
  history: createHashHistory(),
  scrollRestoration: true,
  // Drops parameters that the page does not know; otherwise they would go to the service, which refuses them.
  search: { strict: true },
  defaultErrorComponent: PageFailure,
  // After a second; until then the page before stays, so that nothing flickers.
  defaultPendingComponent: LoadingView,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof portalRouter;
  }
}
