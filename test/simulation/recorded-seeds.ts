import type { Style } from "./plan.ts";

/** Seeds that failed once, on a commit or while the simulation was made, and what they showed. */
export const RECORDED_SEEDS: readonly { seed: number; style?: Style; found: string }[] = [
  {
    seed: 210,
    style: "plain",
    found: "a probe under an instance that has ended is refused by both stores",
  },
  {
    seed: 532,
    style: "plain",
    found: "what is left for one slow host goes as fast as that host takes it",
  },
  {
    seed: 481364250,
    style: "plain",
    found: "a late answer for a lease that others have is no step",
  },
  { seed: 20195, style: "plain", found: "a late answer for a lease that nobody has is no step" },
  {
    seed: 1116,
    style: "plain",
    found: "an answer that was in time, and refused after its instance, is no step",
  },
  {
    seed: 1381,
    style: "plain",
    found: "what left memory for want of room comes back when there is room",
  },
  {
    seed: 2172,
    style: "plain",
    found: "a refused connection is an attempt whose failure a kill may lose, too",
  },
  { seed: 71, found: "after a restart hanging webhooks take no slots of those that are new" },
  { seed: 9316, found: "a late answer is no step where the same process has a new lease" },
  {
    seed: 475900643,
    found: "a late answer is no step where another instance made the same attempt meanwhile",
  },
  {
    seed: 582538403,
    found: "hosts that are asked for more than they take say nothing about waits",
  },
  { seed: 582538548, found: "poison suspects that waited for their marks leave together" },
  {
    seed: 895590789,
    found: "a machine whose clocks both stood still believes what it read before",
  },
  {
    seed: 35001201,
    found: "a webhook that was slow once does not wait for those that hang",
  },
  {
    seed: 35001302,
    found: "a webhook whose first request of a process fails does not wait for those that hang",
  },
  {
    seed: 35002186,
    found: "after an outage in which hosts hang, the rate of those that are well again comes back",
  },
  {
    seed: 35001074,
    found: "a buyer's events that wait behind one from before say nothing about neighbours",
  },
  {
    seed: 37001050,
    found: "after a machine slept, nothing is believed that was read before",
  },
  {
    seed: 37000882,
    found: "an instance may have been ended before it knows, and what it heard is no step",
  },
  {
    seed: 38001439,
    found: "an instance that is new takes its share of a limit when all others have counted it",
  },
  {
    seed: 40003404,
    found:
      "a late answer is no step where the same process makes the same attempt under a new lease",
  },
  {
    seed: 44101052,
    style: "storm",
    found: "a process that was stopped does not take receivers for slow that it had asked before",
  },
  {
    seed: 44201364,
    style: "storm",
    found: "a sleep of two to three seconds is noticed",
  },
  {
    seed: 582717488,
    style: "plain",
    found: "an orderly stop waits for requests that hang, and may end after the last fault",
  },
  {
    seed: 55000060,
    style: "failovers",
    found: "of two requests under one key, the answer to the repeat may come first",
  },
  {
    seed: 57010098,
    found:
      "a process that is stopped sends on while accepts are under way, and may lose more results",
  },
];
