#!/usr/bin/env node
import { enableCompileCache } from "node:module";

// Before anything else is loaded: halves the time to start again, e.g. after a crash.
enableCompileCache();
await import("./command.ts");
