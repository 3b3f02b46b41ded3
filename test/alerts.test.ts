import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..");
const rules = join(root, "deploy/alerts.yml");
const hasPromtool = spawnSync("promtool", ["--version"], { stdio: "ignore" }).status === 0;

test("each metric that an alert asks for is one of the documented", () => {
  const described = readFileSync(join(root, "docs/reference/health-and-metrics.md"), "utf8");
  const asked =
    readFileSync(rules, "utf8").match(/markethook_(?:(?!_(?:bucket|count)\b)\w)+/g) ?? [];
  assert.ok(asked.length > 10);
  assert.deepEqual(
    [...new Set(asked)].filter((name) => !described.includes(`\`${name}\``)),
    [],
  );
});

test("each alert has a row that says what to do", () => {
  const page = readFileSync(join(root, "docs/how-to/watch-the-service.md"), "utf8");
  const alerts = [...readFileSync(rules, "utf8").matchAll(/- alert: (\w+)/g)].map(
    ([, name]) => name ?? "",
  );
  const rows = [...page.matchAll(/^\| `(Markethook\w+)`/gm)].map(([, name]) => name ?? "");
  assert.deepEqual(rows.toSorted(), alerts.toSorted());
});

test(
  "Prometheus takes the alerts; a first fault, which begins its series, fires, so does a service that is gone, a database that is away once, or answers now and then, and nearly all of many attempts that fail or are slow",
  { skip: hasPromtool ? false : "there is no promtool on this machine" },
  (t) => {
    const folder = mkdtempSync(join(tmpdir(), "markethook-alerts-"));
    t.after(() => rmSync(folder, { recursive: true }));
    const tests = join(folder, "tests.yml");
    writeFileSync(
      tests,
      `rule_files: [${JSON.stringify(rules)}]
tests:
  - interval: 1m
    input_series:
      - { series: 'markethook_faults_total{instance="a", where="claim"}', values: "_x5 1x60" }
      - { series: 'markethook_memory_resident_bytes{instance="a"}', values: "1x30" }
      - { series: 'markethook_oldest_due_seconds{instance="a"}', values: "0x10 300x50" }
    alert_rule_test:
      - { eval_time: 4m, alertname: MarkethookFault }
      - eval_time: 7m
        alertname: MarkethookFault
        exp_alerts:
          - exp_labels: { severity: ticket, instance: a, where: claim }
            exp_annotations: { summary: "a had a fault of its own: claim" }
      - { eval_time: 40m, alertname: MarkethookFault }
      - { eval_time: 9m, alertname: MarkethookSendsLate }
      - { eval_time: 10m, alertname: MarkethookGone }
      - eval_time: 45m
        alertname: MarkethookGone
        exp_alerts:
          - exp_labels: { severity: page }
            exp_annotations: { summary: No instance of Markethook answers }
  - interval: 1m
    input_series:
      - { series: 'markethook_repeating_faults{instance="a", where="claim"}', values: "_x4 90x30" }
      - { series: 'markethook_database_figures_failed{instance="a"}', values: "0x3 1x5 0x25" }
      - { series: 'markethook_database_figures_failed{instance="b"}', values: "0x3 1x5 0x5 1x20" }
    alert_rule_test:
      - eval_time: 7m
        alertname: MarkethookDatabaseSilent
        exp_alerts:
          - exp_labels: { severity: page }
            exp_annotations: { summary: The database does not answer }
      - { eval_time: 7m, alertname: MarkethookFaultRepeats }
      - { eval_time: 11m, alertname: MarkethookFaultRepeats }
      - { eval_time: 20m, alertname: MarkethookDatabaseSilent }
      - eval_time: 20m
        alertname: MarkethookFaultRepeats
        exp_alerts:
          - exp_labels: { severity: page, instance: a, where: claim }
            exp_annotations: { summary: "a repeats the same fault: claim" }
  - interval: 30s
    input_series:
      - { series: 'markethook_repeating_faults{instance="a", where="accept"}', values: "_x4 90x40" }
      - { series: 'markethook_database_figures_failed{instance="a"}', values: "1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0" }
    alert_rule_test:
      - { eval_time: 7m, alertname: MarkethookDatabaseSilent }
      - eval_time: 7m
        alertname: MarkethookFaultRepeats
        exp_alerts:
          - exp_labels: { severity: page, instance: a, where: accept }
            exp_annotations: { summary: "a repeats the same fault: accept" }
  - interval: 1m
    input_series:
      - { series: 'markethook_attempts_total{instance="a", outcome="ok"}', values: "0+60x10 600x30" }
      - { series: 'markethook_attempts_total{instance="a", outcome="http_error"}', values: "0x10 0+60x30" }
      - { series: 'markethook_attempts_total{instance="b", outcome="ok"}', values: "0+60x40" }
      - { series: 'markethook_attempts_total{instance="b", outcome="timeout"}', values: "0+300x40" }
      - { series: 'markethook_attempts_total{instance="c", outcome="timeout"}', values: "0+5x40" }
      - { series: 'markethook_attempts_total{instance="d", outcome="throttled"}', values: "0+60x40" }
    alert_rule_test:
      - { eval_time: 18m, alertname: MarkethookAttemptsFail }
      - eval_time: 30m
        alertname: MarkethookAttemptsFail
        exp_alerts:
          - exp_labels: { severity: ticket, instance: a }
            exp_annotations: { summary: Nearly all attempts of a fail }
  - interval: 1m
    input_series:
      - { series: 'markethook_attempt_seconds_bucket{instance="a", le="1.0"}', values: "0+100x10 1000x30" }
      - { series: 'markethook_attempt_seconds_count{instance="a"}', values: "0+100x40" }
      - { series: 'markethook_attempt_seconds_bucket{instance="b", le="1.0"}', values: "0+60x40" }
      - { series: 'markethook_attempt_seconds_count{instance="b"}', values: "0+300x40" }
      - { series: 'markethook_attempt_seconds_bucket{instance="c", le="1"}', values: "0x40" }
      - { series: 'markethook_attempt_seconds_count{instance="c"}', values: "0+5x40" }
    alert_rule_test:
      - { eval_time: 18m, alertname: MarkethookAttemptsSlow }
      - eval_time: 30m
        alertname: MarkethookAttemptsSlow
        exp_alerts:
          - exp_labels: { severity: ticket, instance: a }
            exp_annotations: { summary: Nearly all attempts of a take over a second }
`,
    );
    const run = spawnSync("promtool", ["test", "rules", tests], { encoding: "utf8" });
    assert.equal(run.status, 0, run.stdout + run.stderr);
  },
);
