import { randomUUID } from 'node:crypto';
import type { Exchange, PluginInstance } from '../../../core/api/index.ts';
import { admitRuling, type AdmitParts } from './admit.ts';
import { amountUsed } from './amounts.ts';
import { fitEstimate } from './fit-estimate.ts';
import type { Rule, RuleSet } from '../rules/rule.ts';

/** The request was counted when it ended. What continues needs tokens, money and a place, and is not refused. */
const unrefused = (rules: readonly Rule[]): readonly Rule[] =>
  rules
    .filter(({ limit }) => limit.unit !== 'requests')
    .map((rule) => {
      const bucket = { ...rule.bucket, enforce: false };
      return rule.charge === undefined ? { ...rule, bucket } : { ...rule, bucket, charge: { ...rule.charge, bucket } };
    });

/**
 * Reserves again what a background response can use, whose request has ended. Each process that follows it has a
 * reservation of its own: that of a process which has died is released with its lease.
 */
export function createResume(parts: AdmitParts): NonNullable<PluginInstance['resume']> {
  const { selectRules, decider, undeclaredOutput } = parts;
  return async (exchange: Exchange) => {
    const all = selectRules(exchange);
    if (all === undefined) return undefined;
    const rules = unrefused(all.rules);
    if (rules.length === 0) return undefined;
    const set: RuleSet = { tenant: all.tenant, rules, outage: unrefused(all.outage), deniedBy: undefined };
    const amounts = fitEstimate(exchange, set, undeclaredOutput);
    const id = `${exchange.id}/${randomUUID()}`;
    // Without targets nothing stays counted when the process dies: the next one counts all of it.
    const ruling = await decider.decide({ id, estimate: exchange.estimate, targets: [] }, set, amounts);
    return ruling.decision.admitted
      ? admitRuling(parts, { id, tenant: set.tenant, used: amountUsed }, ruling)
      : undefined;
  };
}
