import { Button } from "@mantine/core";
import { useParams, useRouter } from "@tanstack/react-router";
import { PageTitle } from "../shared/page-title.tsx";
import { DeliveryView } from "./delivery-view.tsx";
import { words } from "../words/words.ts";

/** A delivery on a page of its own. */
export function DeliveryPage() {
  const { deliveryId } = useParams({ from: "/deliveries/$deliveryId" });
  const router = useRouter();
  const back = (): void => {
    // Opened by a link of its own, there is nothing to go back to.
    if (router.history.canGoBack()) router.history.back();
    else void router.navigate({ to: "/deliveries" });
  };
  return (
    <DeliveryView
      deliveryId={deliveryId}
      onOpen={(id) =>
        void router.navigate({ to: "/deliveries/$deliveryId", params: { deliveryId: id } })
      }
      head={({ title, actions, below }) => (
        // Another delivery is another page: its heading takes the focus, and its tab has another name.
        <PageTitle
          key={deliveryId}
          title={`${title} · ${deliveryId}`}
          below={below}
          actions={
            <>
              {actions}
              <Button variant="default" onClick={back}>
                {words.deliveries.back}
              </Button>
            </>
          }
        >
          {title}
        </PageTitle>
      )}
    />
  );
}
