import { isMainThread } from "node:worker_threads";

/**
 * Loaded into a service by `--import`. Ends its newest sender thread at SIGUSR2; at SIGHUP when the next few orders have
 * just been handed to it, so that it cannot have begun with them.
 */
const MANY_ORDERS = 5;

if (isMainThread) {
  let kill = (): void => {};
  let armed = false;
  process.on("worker", (worker) => {
    if (worker.threadName !== "markethook-sender") return;
    kill = () => void worker.terminate();
    const post = worker.postMessage.bind(worker);
    worker.postMessage = (orders: unknown[]) => {
      post(orders);
      if (!armed || orders.length < MANY_ORDERS) return;
      armed = false;
      kill();
    };
  });
  process.on("SIGUSR2", () => kill());
  process.on("SIGHUP", () => (armed = true));
}
