import { definePlugin, readDuration, type OptionFinding } from '../../core/api/index.ts';
import { createContentFilter } from './filter.ts';
import { compilePattern } from './patterns/search.ts';
import { schema, type ContentFilterOptions, type RuleOptions } from './schema.ts';

const checkPattern = (pattern: string, index: number): readonly OptionFinding[] => {
  try {
    const { maxLength } = compilePattern(pattern);
    if (maxLength !== Number.POSITIVE_INFINITY) return [];
    const message = 'It has no longest match, so streams are held back part by part. Write {1,50} in place of +.';
    return [{ path: ['patterns', index], severity: 'advice', message }];
  } catch (thrown) {
    return [{ path: ['patterns', index], message: thrown instanceof Error ? thrown.message : String(thrown) }];
  }
};

const checkRule = ({ detect, patterns, refuseUnreadable, in: directions }: RuleOptions): readonly OptionFinding[] => [
  ...(detect.length + patterns.length + refuseUnreadable.length === 0
    ? [{ path: [], message: 'The rule searches for nothing. Add detect or patterns.' }]
    : []),
  ...(refuseUnreadable.length > 0 && !directions.includes('input')
    ? [{ path: ['refuseUnreadable'], message: 'It is about requests: add input to in.' }]
    : []),
  ...patterns
    .flatMap((pattern, index) => checkPattern(pattern, index))
    .filter(({ severity }) => severity === undefined || directions.includes('output')),
];

/** Filters the text of requests and responses by rules, and asks a service about requests. */
export default definePlugin<ContentFilterOptions>({
  kind: 'plugin',
  apiVersion: 1,
  name: 'content-filter',
  schema,
  check: ({ rules, service }) => [
    ...rules.flatMap((rule, index) => [
      ...checkRule(rule).map((finding) => ({ ...finding, path: ['rules', index, ...finding.path] })),
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
