import { inputTotal, type Usage } from '../index.ts';

const counts = ['inputUncached', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'output', 'reasoning'] as const;

/** What is wrong with a usage record: counts are whole and never negative, reasoning is part of the output, cache is part of the input. */
export const checkUsage = (usage: Usage): string[] => {
  const problems = counts.filter((name) => !Number.isSafeInteger(usage[name]) || usage[name] < 0).map((name) => `${name} is ${String(usage[name])}`);
  if (usage.reasoning > usage.output) problems.push(`reasoning (${usage.reasoning}) is more than output (${usage.output})`);
  const cached = usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h;
  if (cached > inputTotal(usage)) problems.push(`cache (${cached}) is more than input (${inputTotal(usage)})`);
  return problems;
};
