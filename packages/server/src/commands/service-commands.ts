import { inGroup, type ListedCommand } from "@markethook/cli";

/** Commands that need the store or the dispatcher. The others are in the package `cli`. */
export const SERVICE_COMMANDS: readonly ListedCommand[] = [
  ...inGroup(
    "Service",
    {
      serve: ["Run the service. Needs MARKETHOOK_BASE_URL.", () => import("./serve.ts")],
      dev: [
        "Run the service with a sample resource and a sample receiver on loopback.",
        () => import("./dev.ts"),
      ],
    },
    { service: true },
  ),
  ...inGroup("Service", {
    migrate: [
      "Bring the database to this version, or tell what that would do.",
      () => import("./migrate.ts"),
    ],
    "move-to-postgresql": [
      "Move everything from SQLite into an empty PostgreSQL database.",
      () => import("./move-to-postgresql.ts"),
    ],
    doctor: [
      "Find what is wrong with settings, files, database and machine.",
      () => import("./doctor.ts"),
    ],
    "rotate-key": [
      "Encrypt all secrets under the first master key.",
      () => import("./rotate-master-key.ts"),
    ],
    "make-key": ["Print a new API key, for MARKETHOOK_API_KEY.", () => import("./make-key.ts")],
  }),
  ...inGroup("Receiver's developer", {
    check: ["Find out whether a receiver refuses forged requests.", () => import("./check.ts")],
  }),
];
