import { createTestApp } from "./testing/test-app.ts";
for (let i=0;i<5;i++){ const t=performance.now(); const a = await createTestApp(); console.log("create", (performance.now()-t).toFixed(0)); const t2=performance.now(); await a.app.inject("/v1/openapi.json"); console.log("doc",(performance.now()-t2).toFixed(0)); }
