import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  useRouter,
} from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { readBuyer, readFilter, readOpen } from "../deliveries/log-filter.ts";
import { LoadingView, MessageView } from "../shared/page.tsx";
import { loadAgain } from "../session/page-location.ts";
import { readTab } from "../session/place.ts";
import { WebhooksPage } from "../webhooks/webhooks-page.tsx";
import { PortalFrame } from "./portal-frame.tsx";
import { words } from "../words/first-words.ts";

/** Instead of a page that could not be shown, most often because its code could not be loaded. */
function PageFailure() {
  const router = useRouter();
  return (
    <div role="alert">
      <MessageView
        small
        title={words.app.failed}
        action={
          <Button
            variant="default"
            onClick={() => void loadAgain().catch(() => router.invalidate())}
          >
            {words.shared.tryAgain}
          </Button>
        }
      >
        {words.app.failedText}
      </MessageView>
    </div>
  );
}

const root = createRootRoute({
  component: PortalFrame,
  notFoundComponent: () => (
    <MessageView small title={words.app.noSuchPage}>
      {words.app.chooseAbove}
    </MessageView>
  ),
});

// Only the first page comes with the first load.
const webhooks = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: WebhooksPage,
});

const add = createRoute({
  getParentRoute: () => root,
  path: "/add",
  component: lazyRouteComponent(() => import("../webhooks/add-page.tsx"), "AddPage"),
  validateSearch: (search: Record<string, unknown>): { resourceId?: string } =>
    typeof search["resourceId"] === "string" ? { resourceId: search["resourceId"] } : {},
});

const webhook = createRoute({
  getParentRoute: () => root,
  path: "/webhooks/$webhookId",
  component: lazyRouteComponent(() => import("../webhooks/webhook-page.tsx"), "WebhookPage"),
  validateSearch: (search: Record<string, unknown>) => ({
    ...readFilter(search),
    ...readOpen(search),
    ...readTab(search),
  }),
});

const log = createRoute({
  getParentRoute: () => root,
  path: "/deliveries",
  component: lazyRouteComponent(() => import("../deliveries/delivery-log.tsx"), "LogPage"),
  validateSearch: (search: Record<string, unknown>) => ({
    ...readFilter(search),
    ...readOpen(search),
  }),
});

const delivery = createRoute({
  getParentRoute: () => root,
  path: "/deliveries/$deliveryId",
  component: lazyRouteComponent(() => import("../deliveries/delivery-view.tsx"), "DeliveryPage"),
});

const events = createRoute({
  getParentRoute: () => root,
  path: "/events",
  component: lazyRouteComponent(() => import("../events/events-page.tsx"), "EventsPage"),
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
  // What a page does not read from its address is not there; otherwise it would go to the service, which refuses it.
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
