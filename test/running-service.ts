import { type HangingReceiver, startHangingReceiver } from "./hanging-receiver.ts";
import { sqlitePlace } from "./places.ts";
import { apiKey, type ServiceProcess, startServiceProcess } from "./service-process.ts";

export interface RunningService {
  service: ServiceProcess;
  address: string;
  apiKey: string;
  receiver: HangingReceiver;
  /** Where webhooks may point. */
  receiverUrl: string;
  stop(): Promise<void>;
}

/** The service as a user runs it, with a receiver that it may send to; for a whole file of tests. */
export async function startRunningService(
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningService> {
  const place = await sqlitePlace();
  const receiver = await startHangingReceiver();
  const service = await startServiceProcess({ ...place.env, ...settings });
  return {
    service,
    address: service.address,
    apiKey,
    receiver,
    receiverUrl: `http://127.0.0.1:${receiver.port}/hooks`,
    async stop() {
      await service.kill();
      await receiver.close();
      await place.drop();
    },
  };
}
