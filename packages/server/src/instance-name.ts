import { hostname } from "node:os";

/** As the list of instances, the logs and the operator page name this process. */
export const INSTANCE_NAME = `${hostname()}:${process.pid}`;
