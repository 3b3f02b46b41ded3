import type { ListedCommand } from "@markethook/cli";

/** Commands that need the store or the dispatcher. The others are in the package `cli`. */
export const SERVICE_COMMANDS: readonly ListedCommand[] = [
  {
    name: "serve",
    summary: "Run the service. Needs MARKETHOOK_BASE_URL.",
    group: "Service",
    service: true,
    load: () => import("./serve.ts"),
  },
  {
    name: "dev",
    summary: "Run the service with a sample resource and a sample receiver on loopback.",
    group: "Service",
    service: true,
    load: () => import("./dev.ts"),
  },
  {
    name: "migrate",
    summary: "Bring the database to this version, or tell what that would do.",
    group: "Service",
    load: () => import("./migrate.ts"),
  },
  {
    name: "doctor",
    summary: "Find what is wrong with settings, files, database and machine, and say what to do.",
    group: "Service",
    load: () => import("./doctor.ts"),
  },
  {
    name: "rotate-key",
    summary: "Encrypt all secrets under the first master key.",
    group: "Service",
    load: () => import("./rotate-master-key.ts"),
  },
  {
    name: "make-key",
    summary: "Print a new API key, for MARKETHOOK_API_KEY.",
    group: "Service",
    load: () => import("./make-key.ts"),
  },
  {
    name: "check",
    summary: "Find out whether a receiver refuses forged requests.",
    group: "Receiver's developer",
    load: () => import("./check.ts"),
  },
];
