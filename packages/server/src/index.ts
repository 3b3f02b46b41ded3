export { readConfig } from "./config.ts";
export { configurationPage } from "./config-docs.ts";
export { doctorPage } from "./doctor/doctor-docs.ts";
export { startService, type Service } from "./service.ts";
