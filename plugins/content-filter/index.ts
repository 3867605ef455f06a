import { definePlugin, readDuration, type OptionFinding } from '../../core/api/index.ts';
import { createContentFilter } from './filter.ts';
import { compilePattern } from './patterns/search.ts';
import { schema, type ContentFilterOptions, type RuleOptions } from './schema.ts';

/** Steps for a character of a text from which a pattern is reported: seven times those of a simple one. */
const EXPENSIVE = 21;

const checkPattern = (pattern: string, index: number, budget: number): readonly OptionFinding[] => {
  const path = ['patterns', index];
  try {
    const { maxLength, price } = compilePattern(pattern);
    const findings: OptionFinding[] = [];
    if (price >= EXPENSIVE) {
      const longest = Math.floor(budget / price);
      const cost = `A character takes ${price} steps instead of 3: texts of ${longest} characters exceed the budget.`;
      const message = `${cost} Lower the counts of repetitions such as {1,500}, or write + in a rule for input only.`;
      findings.push({ path, severity: 'warning', message });
    }
    if (maxLength === Number.POSITIVE_INFINITY) {
      const message = 'It has no longest match, so streams are held back part by part. Write {1,50} in place of +.';
      findings.push({ path, severity: 'advice', message });
    }
    return findings;
  } catch (thrown) {
    return [{ path, message: thrown instanceof Error ? thrown.message : String(thrown) }];
  }
};

const checkRule = (
  { detect, patterns, refuseUnreadable, in: directions }: RuleOptions,
  budget: number,
): readonly OptionFinding[] => [
  ...(detect.length + patterns.length + refuseUnreadable.length === 0
    ? [{ path: [], message: 'The rule searches for nothing. Add detect or patterns.' }]
    : []),
  ...(refuseUnreadable.length > 0 && !directions.includes('input')
    ? [{ path: ['refuseUnreadable'], message: 'It is about requests: add input to in.' }]
    : []),
  ...patterns
    .flatMap((pattern, index) => checkPattern(pattern, index, budget))
    .filter(({ severity }) => severity !== 'advice' || directions.includes('output')),
];

/** Filters the text of requests and responses by rules, and asks a service about requests. */
export default definePlugin<ContentFilterOptions>({
  kind: 'plugin',
  apiVersion: 1,
  name: 'content-filter',
  schema,
  check: ({ rules, budget, service }) => [
    ...rules.flatMap((rule, index) => [
      ...checkRule(rule, budget).map((finding) => ({ ...finding, path: ['rules', index, ...finding.path] })),
      ...(rules.findIndex(({ name }) => name === rule.name) < index
        ? [{ path: ['rules', index, 'name'], message: 'Another rule has this name.' }]
        : []),
    ]),
    ...(service !== undefined && !URL.canParse(service.url)
      ? [{ path: ['service', 'url'], message: 'Write a URL, such as http://guardrail.internal/check.' }]
      : []),
    ...(service !== undefined && readDuration(service.timeout) < 1
      ? [{ path: ['service', 'timeout'], message: 'Write a duration above zero.' }]
      : []),
  ],
  create: createContentFilter,
});
