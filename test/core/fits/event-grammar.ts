import type { GenerateEvent } from '../../../core/canonical/event.ts';

/**
 * Checks a stream of events: a part that was not started, not ended or is unknown, an event after the end, no end or
 * two. Returns the problems; empty if there are none.
 */
export const checkGrammar = (events: readonly GenerateEvent[]): readonly string[] => {
  const problems: string[] = [];
  const open = new Set<string>();
  const seen = new Set<string>();
  const closedChoices = new Set<number>();
  let terminals = 0;
  let failed = false;
  for (const event of events) {
    if (terminals > 0) problems.push(`${event.type} after the end`);
    if (event.type === 'response-end' || event.type === 'error') terminals += 1;
    if (event.type === 'error') failed = true;
    if (event.type === 'choice-end') {
      if (closedChoices.has(event.choice)) problems.push(`choice ${event.choice} ended twice`);
      closedChoices.add(event.choice);
      for (const key of open) if (key.startsWith(`${event.choice}/`)) problems.push(`choice ended with ${key} open`);
    }
    if (event.type !== 'part-start' && event.type !== 'part-delta' && event.type !== 'part-end') continue;
    const key = `${event.choice}/${event.part}`;
    if (closedChoices.has(event.choice)) problems.push(`${event.type} ${key} after its choice`);
    if (event.type === 'part-start') {
      if (seen.has(key)) problems.push(`${key} started twice`);
      seen.add(key);
      open.add(key);
    } else if (!open.has(key)) problems.push(`${event.type} of ${key}, which is not open`);
    if (event.type === 'part-end') open.delete(key);
  }
  if (terminals !== 1) problems.push(`${terminals} terminal events`);
  if (!failed) for (const key of open) problems.push(`${key} never ended`);
  return problems;
};
