import { Button } from "@mantine/core";
import { LinkButton } from "../shared/buttons.tsx";
import stack from "../shared/stack.module.css";
import classes from "./delivery-log.module.css";
import { DeliveryView } from "./delivery-view.tsx";
import { words } from "../words/words.ts";

interface DeliveryPaneProps {
  deliveryId: string;
  /** Shows another one. */
  onOpen: (deliveryId: string) => void;
  onClose: () => void;
}

/** A delivery next to the log. */
export function DeliveryPane({ deliveryId, onOpen, onClose }: DeliveryPaneProps) {
  return (
    <section className={classes["pane"]} aria-label={words.deliveries.delivery}>
      <DeliveryView
        key={deliveryId}
        deliveryId={deliveryId}
        onOpen={onOpen}
        head={({ title, below, actions }) => (
          <div className={stack["spread"]}>
            <div>
              <h2 className={classes["title"]}>{title}</h2>
              {below}
            </div>
            <div className={stack["row"]}>
              {actions}
              <LinkButton to="/deliveries/$deliveryId" params={{ deliveryId }} variant="default">
                {words.deliveries.wholePage}
              </LinkButton>
              <Button variant="default" onClick={onClose}>
                {words.shared.close}
              </Button>
            </div>
          </div>
        )}
      />
    </section>
  );
}
